import {
  type CatalogField,
  type Condition,
  germanCondition,
  germanSentence,
  isDrawable,
  nodeAt,
  segmentsIn,
  withEventWords,
  withSegmentNames,
} from '../../rule-builder/index.ts';
import { useLanguage } from '../../text/text.tsx';
import { useNames } from '../../ui/named/use-names.ts';
import { germanListSentence } from './list-sentence.ts';
import { useRuleFields } from './use-rule-fields.ts';

interface RuleSentenceProps {
  /** Null for a list of players. */
  rule: unknown;
  /** The platform's sentence. */
  english: string;
}

/** The sentence of a rule in the chosen language, with the names of its segments. */
export function RuleSentence({ rule, english }: RuleSentenceProps) {
  return useSentence(rule, withEventWords(english, rule), (fields) =>
    isDrawable(rule) ? germanSentence(rule, fields) : germanListSentence(english),
  );
}

/** One condition of a rule in the chosen language, as `RuleSentence` writes the rule. */
export function ConditionSentence({ rule, path, english }: { rule: unknown; path: string; english: string }) {
  return useSentence(rule, withEventWords(english, rule), (fields) =>
    isDrawable(rule) ? germanCondition(nodeAt(rule, path) as Condition, fields) : english,
  );
}

/** Returns the text in the chosen language, with the names of the segments of the rule. */
function useSentence(rule: unknown, english: string, german: (fields: readonly CatalogField[]) => string): string {
  const { language } = useLanguage();
  const isGerman = language === 'de';
  const fields = useRuleFields({ isNeeded: isGerman }).data?.items ?? [];
  const naming = useNames(segmentsIn(rule).map((segment) => ({ segment })));
  return withSegmentNames(isGerman ? german(fields) : english, language, (segment) => naming({ segment }));
}
