import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { readRule } from './rule-text.ts';

/** Milliseconds after the last key, before the platform is asked. */
const restMs = 300;

/** What the platform says of a rule while it is written: its errors or its sentence, and how many players it selects. */
export function useRuleAnswer(brand: string, text: string) {
  const [rested] = useDebouncedValue(text, restMs);
  const { rule, problem } = readRule(rested);
  const params = { path: { brand } };
  const check = useQuery({
    queryKey: [brand, 'rule', 'check', rested],
    queryFn: () => bodyOf(api.POST('/api/console/v1/brands/{brand}/rules/check', { params, body: { rule } })),
    enabled: problem === null,
    placeholderData: keepPreviousData,
  });
  const errors = problem === null ? (check.data?.errors ?? []) : [];
  const isUsable = problem === null && check.data !== undefined && errors.length === 0 && !check.isPlaceholderData;
  const preview = useQuery({
    queryKey: [brand, 'rule', 'preview', rested],
    queryFn: () => bodyOf(api.POST('/api/console/v1/brands/{brand}/rules/preview', { params, body: { rule } })),
    enabled: isUsable,
    placeholderData: keepPreviousData,
  });
  /** The figures are those of an earlier text. */
  const isOld = text !== rested || check.isPlaceholderData || preview.isPlaceholderData;
  return { rule, problem, check, preview, errors, isUsable, isOld };
}
