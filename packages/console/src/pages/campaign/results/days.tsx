import { useQuery } from '@tanstack/react-query';
import { campaignPage } from '../../../text/campaign-page.ts';
import { useWords } from '../../../text/text.tsx';
import { lazyPart } from '../../../ui/parts/lazy-part.tsx';
import { Section } from '../../../ui/section.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { outcomeNames } from './outcome-players.tsx';
import { resultDaysQuery } from './queries.ts';

const DaysChart = lazyPart(() => import('../charts/days-chart.tsx'));

/** The counts by day. */
export function Days({ brand, code }: { brand: string; code: string }) {
  const words = useWords(campaignPage);
  const days = useQuery(resultDaysQuery(brand, code));
  if (days.isLoadingError) return <Failed error={days.error} onRetry={() => days.refetch()} />;
  if (days.data === undefined) return <Loading />;
  const { from, to } = days.data;
  const counts = new Map(days.data.days.map((one) => [one.day, one]));
  const shown = daysBetween(from, to).map((day) => {
    const { day: _, ...of } = counts.get(day) ?? { day };
    return { day, counts: of as Readonly<Record<string, number>> };
  });
  return (
    <Section title={words.byDay}>
      <DaysChart
        label={`${words.byDay}: ${words.lastDays}`}
        days={shown}
        series={outcomeNames
          .filter((name) => shown.some((one) => (one.counts[name] ?? 0) > 0))
          .map((name) => ({ name, label: words.outcomes[name] ?? name }))}
        first={['entered', 'sent', 'clicked', 'goal_reached']}
      />
    </Section>
  );
}

/** Returns all days from one day to another, both included. */
function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}
