import { germanSentence, isDrawable, segmentsIn, withSegmentNames } from '../../rule-builder/index.ts';
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
  const { language } = useLanguage();
  const isGerman = language === 'de';
  const fields = useRuleFields({ isNeeded: isGerman }).data?.items ?? [];
  const naming = useNames(segmentsIn(rule).map((segment) => ({ segment })));
  const german = () => (isDrawable(rule) ? germanSentence(rule, fields) : germanListSentence(english));
  return <>{withSegmentNames(isGerman ? german() : english, language, (segment) => naming({ segment }))}</>;
}
