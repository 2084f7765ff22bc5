import { Card, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { useText } from '../../text/text.tsx';
import { useFilters } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { NamedSelect } from '../../ui/named/named-select.tsx';
import { useNames } from '../../ui/named/use-names.ts';
import { Failed } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, useNumber } from '../../ui/values.tsx';
import { usePlayerColumns } from '../player-columns.ts';
import { PlayerLink } from '../player-link.tsx';

const parts = ['both', 'here', 'there'] as const;
type Part = (typeof parts)[number];

/**
 * Shows the number of players in this segment, in another one, and in both. Each number is the count of a rule, and
 * links to the list of its players. The other segment and the list are in the address.
 */
export function SegmentOverlap({ brand, code }: { brand: string; code: string }) {
  const { segments: words } = useText();
  const number = useNumber();
  const { filters, set } = useFilters();
  const other = filters.other ?? null;
  const part = parts.find((one) => one === filters.part);
  const naming = useNames([code, ...(other === null ? [] : [other])].map((segment) => ({ segment })));
  const count = (isHere: boolean, isThere: boolean) => {
    const rules = [
      { field: `segment.${code}`, operator: '=', value: isHere },
      { field: `segment.${other}`, operator: '=', value: isThere },
    ];
    const body = { rule: { combinator: 'and', rules } };
    return bodyOf(api.POST('/api/console/v1/brands/{brand}/rules/preview', { params: { path: { brand } }, body }));
  };
  const counts = useQuery({
    queryKey: [brand, 'segment', code, 'overlap', other],
    enabled: other !== null,
    queryFn: async () => {
      const [both, here, there] = await Promise.all([count(true, true), count(true, false), count(false, true)]);
      return { both, here, there };
    },
  });
  const figure = (of: Part) => {
    const one = counts.data?.[of];
    return one ? `${one.exact ? '' : '≈ '}${number(one.count)}` : '…';
  };
  const labels: Record<Part, string> = {
    both: words.inBoth,
    here: words.onlyIn(naming({ segment: code })),
    there: words.onlyIn(naming({ segment: other ?? '' })),
  };
  const { tab = 'overlap' } = filters;
  return (
    <Stack>
      <NamedSelect
        list="segments"
        except={code}
        label={words.otherSegment}
        placeholder={words.choose}
        maw={420}
        value={other}
        onChange={(chosen) => set({ tab, ...(chosen !== null && { other: chosen }) })}
      />
      {other === null && <Text c="dimmed">{words.overlapAbout}</Text>}
      {counts.isError && <Failed error={counts.error} onRetry={() => counts.refetch()} />}
      {other !== null && !counts.isError && (
        <Card withBorder aria-live="polite">
          {parts.map((of) => (
            <Group key={of} justify="space-between" maw={420} className="figure">
              <Text>{labels[of]}</Text>
              <b>
                <To to={`segments/${code}`} search={{ tab, other, part: of }} label={`${labels[of]}: ${figure(of)}`}>
                  {figure(of)}
                </To>
              </b>
            </Group>
          ))}
          <Text size="sm" c="dimmed" mt="xs">
            {words.overlapHint}
          </Text>
        </Card>
      )}
      {other !== null && part !== undefined && (
        <section aria-label={labels[part]}>
          <Text fw={600} mb="xs">
            {labels[part]}
          </Text>
          <OverlapPlayers {...{ brand, code, other, part }} />
        </section>
      )}
    </Stack>
  );
}

interface OverlapPlayersProps {
  brand: string;
  code: string;
  other: string;
  part: Part;
}

/** The players in both segments, or in only one of them. */
function OverlapPlayers({ brand, code, other, part }: OverlapPlayersProps) {
  const { segments: words, common } = useText();
  const { name, country } = usePlayerColumns();
  const [listed, compared] = part === 'there' ? [other, code] : [code, other];
  return (
    <List
      name={[brand, 'segment', code, 'overlap', other, part]}
      scope="overlap"
      read={(cursor) =>
        bodyOf(
          api.GET('/api/console/v1/brands/{brand}/segments/{code}/overlap', {
            params: {
              path: { brand, code: listed },
              query: { other: compared, part: part === 'both' ? 'both' : 'only', ...(cursor && { cursor }) },
            },
          }),
        )
      }
      keyOf={({ player_id }) => player_id}
      empty={words.nobodyHere}
      columns={[
        { title: common.player, show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} /> },
        name,
        country,
        { title: words.memberSince, show: ({ since }) => <Moment at={since} /> },
      ]}
    />
  );
}
