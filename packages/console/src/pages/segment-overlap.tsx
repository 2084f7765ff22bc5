import { Card, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../api/client.ts';
import { useText } from '../text/text.tsx';
import { NamedSelect } from '../ui/named/named-select.tsx';
import { useNames } from '../ui/named/use-names.ts';
import { Failed } from '../ui/states.tsx';
import { useNumber } from '../ui/values.tsx';

/** Shows the number of players in this segment, in another one, and in both. Each number is the count of a rule. */
export function SegmentOverlap({ brand, code }: { brand: string; code: string }) {
  const { segments: words } = useText();
  const number = useNumber();
  const [other, setOther] = useState<string | null>(null);
  const naming = useNames([code, ...(other === null ? [] : [other])].map((segment) => ({ segment })));
  const counts = useQuery({
    queryKey: [brand, 'segment', code, 'overlap', other],
    enabled: other !== null,
    queryFn: () => Promise.all([count(true, true), count(true, false), count(false, true)]),
  });
  const count = (isHere: boolean, isThere: boolean) => {
    const rules = [
      { field: `segment.${code}`, operator: '=', value: isHere },
      { field: `segment.${other}`, operator: '=', value: isThere },
    ];
    const body = { rule: { combinator: 'and', rules } };
    return bodyOf(api.POST('/api/console/v1/brands/{brand}/rules/preview', { params: { path: { brand } }, body }));
  };
  const figure = (n: number) => {
    const one = counts.data?.[n];
    return one ? `${one.exact ? '' : '≈ '}${number(one.count)}` : '…';
  };
  const rows = [
    [words.inBoth, figure(0)],
    [words.onlyIn(naming({ segment: code })), figure(1)],
    [words.onlyIn(naming({ segment: other ?? '' })), figure(2)],
  ] as const;
  return (
    <Stack>
      <NamedSelect
        list="segments"
        except={code}
        label={words.otherSegment}
        placeholder={words.choose}
        maw={420}
        value={other}
        onChange={setOther}
      />
      {counts.isError && <Failed error={counts.error} onRetry={() => counts.refetch()} />}
      {other !== null && !counts.isError && (
        <Card withBorder aria-live="polite">
          {rows.map(([label, value]) => (
            <Group key={label} justify="space-between" maw={420} className="figure">
              <Text>{label}</Text>
              <b>{value}</b>
            </Group>
          ))}
          <Text size="sm" c="dimmed" mt="xs">
            {words.overlapHint}
          </Text>
        </Card>
      )}
    </Stack>
  );
}
