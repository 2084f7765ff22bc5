import { useQuery } from '@tanstack/react-query';
import { campaignEventsQuery } from '../../../api/queries.ts';
import { germanConditions, germanSentence, isDrawable } from '../../../rule-builder/index.ts';
import { useLanguage } from '../../../text/text.tsx';
import { useRuleFields } from '../../rule/use-rule-fields.ts';
import { type Draft, read } from './edits.ts';

interface RuleSentence {
  /** JSON pointer of the rule in the document. */
  path: string;
  sentence: string;
}

/** @returns a function that translates the platform's English sentences about rules into the chosen language */
export function useRuleSentences(
  brand: string,
): (document: Draft, sentences: readonly RuleSentence[]) => readonly RuleSentence[] {
  const { language } = useLanguage();
  const isGerman = language === 'de';
  const fields = useRuleFields({ isNeeded: isGerman }).data?.items ?? [];
  const events = useQuery({ ...campaignEventsQuery(brand), enabled: isGerman }).data?.items ?? [];
  const inGerman = (document: Draft, { path, sentence }: RuleSentence) => {
    const place = path.split('/').slice(1);
    const rule = read(document, place);
    if (!isDrawable(rule)) return sentence;
    if (place.at(-1) !== 'where') return germanSentence(rule, fields);
    const event = read(document, [...place.slice(0, -1), 'event']);
    const fact = events.find((one) => one.event === event)?.fact?.replace(/^did\./, '');
    return fact === undefined ? sentence : germanConditions(rule, fact, fields);
  };
  return (document, sentences) =>
    isGerman ? sentences.map((one) => ({ ...one, sentence: inGerman(document, one) })) : sentences;
}
