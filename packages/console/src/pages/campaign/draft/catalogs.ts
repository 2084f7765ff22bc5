import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../../api/client.ts';
import { campaignEventsQuery } from '../../../api/queries.ts';
import type { CatalogField } from '../../../rule-builder/index.ts';
import { campaignEditor } from '../../../text/campaign-editor.ts';
import { useWords } from '../../../text/text.tsx';
import { useRuleFields as useFieldsOfRules } from '../../rule/use-rule-fields.ts';
import { useEditing } from './editing.ts';

/*
 * The values that exist now and that fields of a campaign can contain. A list that is not loaded yet is empty. The
 * current value of a field is always offered.
 */
interface Offer {
  value: string;
  label: string;
}

/** Returns the known values, and the current value of the field if it is not one of them. */
export function withOwn(offers: readonly Offer[], own: string): Offer[] {
  return own === '' || offers.some(({ value }) => value === own)
    ? [...offers]
    : [...offers, { value: own, label: own }];
}

export function useRuleFields(): readonly CatalogField[] {
  return useFieldsOfRules().data?.items ?? [];
}

/** Returns the fields that conditions on an event may use. If the list is empty, the event takes no conditions. */
export function useEventFields(event: string): readonly CatalogField[] {
  const { brand } = useEditing();
  const fields = useRuleFields();
  const fact = useQuery(campaignEventsQuery(brand)).data?.items.find((one) => one.event === event)?.fact;
  return fields.find(({ field }) => field === fact)?.fields ?? [];
}

export function useEvents(): Offer[] {
  const { brand } = useEditing();
  const { events } = useWords(campaignEditor);
  const items = useQuery(campaignEventsQuery(brand)).data?.items ?? [];
  return items.map(({ event }) => ({ value: event, label: events[event] ?? event }));
}

/** Returns the codes in the operator's list, and the codes of bonuses that players received. */
export function useBonusCodes(): string[] {
  const { brand } = useEditing();
  const listed = useQuery({
    queryKey: [brand, 'bonus-list'],
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/bonus-list', { params: { path: { brand } } })),
  });
  const seen = useRuleFields()
    .find(({ field }) => field === 'did.bonus')
    ?.fields?.find(({ field }) => field === 'bonus_code')?.values;
  return [...new Set([...(listed.data?.bonuses.map(({ bonus_code }) => bonus_code) ?? []), ...(seen ?? [])])];
}
