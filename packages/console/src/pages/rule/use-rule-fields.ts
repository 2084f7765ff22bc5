import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { type CatalogField, germanField, germanSentence, isDrawable } from '../../rule-builder/index.ts';
import { useLanguage } from '../../text/text.tsx';
import { useBrand } from '../../ui/page.tsx';
import { germanListSentence } from './list-sentence.ts';

/**
 * Returns every field that rules of the brand can use, with titles in the chosen language. Segments and tags are not among
 * them, because a brand may have thousands: the rule builder searches them.
 */
export function useRuleFields({ isNeeded = true }: { isNeeded?: boolean } = {}) {
  const brand = useBrand();
  const { language } = useLanguage();
  return useQuery({
    queryKey: [brand, 'rule-fields'],
    queryFn: () =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/rule-fields', {
          params: { path: { brand }, query: { memberships: false } },
        }),
      ),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    enabled: isNeeded,
    select: ({ items }): { items: readonly CatalogField[] } => ({
      items: language === 'de' ? items.map(germanField) : items,
    }),
  });
}

/**
 * Returns a function that returns the sentence of a rule in the chosen language. It takes the rule, which is null for a
 * list of players, and the platform's English sentence.
 */
export function useSentence(): (rule: unknown, english: string) => string {
  const { language } = useLanguage();
  const isGerman = language === 'de';
  const fields = useRuleFields({ isNeeded: isGerman });
  return (rule, english) => {
    if (!isGerman) return english;
    return isDrawable(rule) ? germanSentence(rule, fields.data?.items ?? []) : germanListSentence(english);
  };
}
