import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { type CatalogField, germanField } from '../../rule-builder/index.ts';
import { useLanguage } from '../../text/text.tsx';
import { useBrand } from '../../ui/page.tsx';

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
