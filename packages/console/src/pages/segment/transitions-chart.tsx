import { Card, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { every } from '../../api/live.ts';
import { useText } from '../../text/text.tsx';
import { dateFormat } from '../../ui/formats.ts';
import { useRegion } from '../../ui/region.ts';
import { Failed } from '../../ui/states.tsx';
import { useNumber } from '../../ui/values.tsx';

/** Size of the chart, in its own units. */
const half = 50;
const barWidth = 10;
const refreshMs = 5_000;

/**
 * Shows how many players entered (bars up) and left (bars down) on each of the last 30 days. Screen readers get the
 * figures as text.
 */
export function TransitionsChart({ brand, code }: { brand: string; code: string }) {
  const { segments: words, player } = useText();
  const region = useRegion();
  const number = useNumber();
  const params = { path: { brand, code } };
  const counts = useQuery({
    queryKey: [brand, 'segment', code, 'transitions', 'days'],
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/segments/{code}/transitions/days', { params })),
    refetchInterval: every(refreshMs),
  });
  if (counts.isLoadingError) return <Failed error={counts.error} onRetry={() => counts.refetch()} />;
  const days = counts.data?.items ?? [];
  const most = Math.max(1, ...days.flatMap(({ entered, left }) => [entered, left]));
  const height = (count: number) => (count / most) * half;
  const dayOf = (day: string) => dateFormat(region, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));
  const said = (day: (typeof days)[number]) =>
    `${dayOf(day.day)}: ${number(day.entered)} ${player.entered}, ${number(day.left)} ${player.left}`;
  const [first, last] = [days.at(0), days.at(-1)];
  return (
    <Card withBorder mb="md">
      <Text size="sm" fw={600}>
        {words.lastDays} · <span className="entered">▲ {player.entered}</span>{' '}
        <span className="left">▼ {player.left}</span>
      </Text>
      <svg
        className="transitions"
        viewBox={`0 0 ${Math.max(1, days.length) * barWidth} ${half * 2 + 1}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={
          days
            .filter(({ entered, left }) => entered + left > 0)
            .map(said)
            .join('; ') || words.noTransitions
        }
      >
        <line x1="0" x2={days.length * barWidth} y1={half} y2={half} className="axis" />
        {days.map((day, index) => (
          <g key={day.day}>
            <title>{said(day)}</title>
            <rect x={index * barWidth} y="0" width={barWidth} height={half * 2} fill="transparent" />
            <rect
              className="entered"
              x={index * barWidth + 1}
              y={half - height(day.entered)}
              width={barWidth - 2}
              height={height(day.entered)}
            />
            <rect className="left" x={index * barWidth + 1} y={half} width={barWidth - 2} height={height(day.left)} />
          </g>
        ))}
      </svg>
      <Text size="xs" c="dimmed" className="figure" style={{ display: 'flex', justifyContent: 'space-between' }}>
        <span>{first && dayOf(first.day)}</span>
        <span>{words.mostADay(number(most))}</span>
        <span>{last && dayOf(last.day)}</span>
      </Text>
    </Card>
  );
}
