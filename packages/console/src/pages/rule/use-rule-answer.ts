import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { readRule } from './rule-text.ts';

/** Milliseconds between the last key press and the request to the platform. */
const restMs = 300;

/**
 * Returns the platform's answer about the edited rule: its errors, or the rule as a sentence and the number of matching
 * players.
 */
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
  /** True while the figures belong to an earlier text. */
  const isOld = text !== rested || check.isPlaceholderData || preview.isPlaceholderData;
  return { rule, problem, check, preview, errors, isUsable, isOld };
}
