import { useQuery } from '@tanstack/react-query';
import { campaignEventsQuery } from '../../../api/queries.ts';
import {
  germanConditions,
  germanSentence,
  isDrawable,
  segmentsIn,
  withEventWords,
  withSegmentNames,
} from '../../../rule-builder/index.ts';
import { useLanguage } from '../../../text/text.tsx';
import { useNames } from '../../../ui/named/use-names.ts';
import { useRuleFields } from '../../rule/use-rule-fields.ts';
import { type Draft, read } from './edits.ts';

interface RuleSentence {
  /** JSON pointer of the rule in the document. */
  path: string;
  sentence: string;
}

/**
 * Returns the sentences of a campaign's rules in the chosen language, with the names of segments.
 *
 * @param sentences of the platform
 */
export function useRuleSentences(
  brand: string,
  document: Draft,
  sentences: readonly RuleSentence[],
): readonly RuleSentence[] {
  const { language } = useLanguage();
  const isGerman = language === 'de';
  const fields = useRuleFields({ isNeeded: isGerman }).data?.items ?? [];
  const events = useQuery({ ...campaignEventsQuery(brand), enabled: isGerman }).data?.items ?? [];
  const naming = useNames(sentences.flatMap(({ path }) => segmentsIn(ruleAt(document, path))).map(ofSegment));
  const inGerman = ({ path, sentence }: RuleSentence) => {
    const rule = ruleAt(document, path);
    if (!isDrawable(rule)) return sentence;
    const place = placeOf(path);
    if (!isAboutEvent(path)) return germanSentence(rule, fields);
    const event = read(document, [...place.slice(0, -1), 'event']);
    const fact = events.find((one) => one.event === event)?.fact?.replace(/^did\./, '');
    return fact === undefined ? sentence : germanConditions(rule, fact, fields);
  };
  return sentences.map((one) => {
    const english = withEventWords(one.sentence, ruleAt(document, one.path), isAboutEvent(one.path));
    const sentence = isGerman ? inGerman(one) : english;
    return { ...one, sentence: withSegmentNames(sentence, language, (code) => naming(ofSegment(code))) };
  });
}

const ofSegment = (segment: string) => ({ segment });
const placeOf = (path: string) => path.split('/').slice(1);
/** Whether a rule is about the fields of an event. Other rules are about the fields of a player. */
const isAboutEvent = (path: string) => placeOf(path).at(-1) === 'where';
const ruleAt = (document: Draft, path: string) => read(document, placeOf(path));
