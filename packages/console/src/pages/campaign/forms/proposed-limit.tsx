import { Button, Group, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../../api/client.ts';
import { campaignEditor } from '../../../text/campaign-editor.ts';
import { useWords } from '../../../text/text.tsx';
import { useNumber } from '../../../ui/values.tsx';
import { useEditing, useField } from '../draft/editing.ts';

/** Milliseconds between the last change and the question for a limit. */
const restMs = 1_000;
const place = ['halt', 'entered_per_day'];

/** Proposes the limit of entries from the forecast, so that a person only confirms it. Empty if there is no forecast. */
export function ProposedLimit() {
  const words = useWords(campaignEditor);
  const number = useNumber();
  const { brand, draft } = useEditing();
  const { value, set, disabled } = useField(place);
  // Neither the limits nor the name change the forecast.
  const [asked] = useDebouncedValue(JSON.stringify({ ...draft, halt: undefined, name: 'x' }), restMs);
  const check = useQuery({
    queryKey: [brand, 'campaign-limits', asked],
    queryFn: () =>
      bodyOf(
        api.POST('/api/console/v1/brands/{brand}/campaigns/check', {
          params: { path: { brand } },
          body: { campaign: JSON.parse(asked), propose_limits: true },
        }),
      ),
  });
  const limits = check.data?.proposed_limits;
  if (limits == null) return null;
  const { entered_per_day, forecast_high } = limits;
  return (
    <Group gap="sm">
      <Text size="sm" c="dimmed">
        {words.forecastHigh(number(forecast_high))}
      </Text>
      {!disabled && value !== entered_per_day && (
        <Button size="compact-sm" variant="default" onClick={() => set(entered_per_day)}>
          {words.setLimit(number(entered_per_day))}
        </Button>
      )}
    </Group>
  );
}
