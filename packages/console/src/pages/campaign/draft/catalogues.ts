import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../../api/client.ts';
import { campaignEventsQuery, segmentsQuery, templatesQuery } from '../../../api/queries.ts';
import type { CatalogueField } from '../../../rule-builder/index.ts';
import { campaignEditor } from '../../../text/campaign-editor.ts';
import { useWords } from '../../../text/text.tsx';
import { useRuleFields as useFieldsOfRules } from '../../rule/use-rule-fields.ts';
import { useEditing } from './editing.ts';

/*
 * What the fields of a campaign can name, as of now. A list that has not come yet is empty; what a field holds is offered all the same.
 */
interface Offer {
  value: string;
  label: string;
}

/** The offers, and what the field holds even if it is not among them. */
export function withOwn(offers: readonly Offer[], own: string): Offer[] {
  return own === '' || offers.some(({ value }) => value === own)
    ? [...offers]
    : [...offers, { value: own, label: own }];
}

export function useRuleFields(): readonly CatalogueField[] {
  return useFieldsOfRules().data?.items ?? [];
}

/** The fields that conditions on an event may ask for; empty: it takes none. */
export function useEventFields(event: string): readonly CatalogueField[] {
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

/** Messages over push take templates of the site, too. */
export function useTemplates(channel: string): Offer[] {
  const { brand } = useEditing();
  const templates = useQuery(templatesQuery(brand)).data ?? [];
  return templates
    .filter((one) => one.channel === channel || (channel === 'push' && one.channel === 'site'))
    .map(({ code, name }) => ({ value: code, label: name === code ? code : `${name} (${code})` }));
}

export function useSegments(): Offer[] {
  const { brand } = useEditing();
  const segments = useQuery(segmentsQuery(brand)).data?.items ?? [];
  return segments.map(({ code, name }) => ({ value: code, label: name === code ? code : `${name} (${code})` }));
}

export function useTags(): string[] {
  const { brand } = useEditing();
  const tags = useQuery({
    queryKey: [brand, 'tags'],
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/tags', { params: { path: { brand } } })),
  });
  return tags.data?.items.map(({ tag }) => tag) ?? [];
}

/** Codes of the operator's list, and those that bonuses of players had. */
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
