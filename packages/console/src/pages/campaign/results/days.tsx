import { useQuery } from '@tanstack/react-query';
import { campaignPage } from '../../../text/campaign-page.ts';
import { useWords } from '../../../text/text.tsx';
import { lazyPart } from '../../../ui/parts/lazy-part.tsx';
import { Section } from '../../../ui/section.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { useNumber } from '../../../ui/values.tsx';
import { outcomeNames } from './outcome-players.tsx';
import { resultDaysQuery } from './queries.ts';
import { shownDays } from './shown-days.ts';

const DaysChart = lazyPart(() => import('../charts/days-chart.tsx'));

/** The counts by day, since the first day with data. */
export function Days({ brand, code }: { brand: string; code: string }) {
  const words = useWords(campaignPage);
  const number = useNumber();
  const days = useQuery(resultDaysQuery(brand, code));
  if (days.isLoadingError) return <Failed error={days.error} onRetry={() => days.refetch()} />;
  if (days.data === undefined) return <Loading />;
  const counts = new Map(days.data.days.map((one) => [one.day, one]));
  const shown = shownDays(days.data.days, days.data).map((day) => {
    const { day: _, ...of } = counts.get(day) ?? { day };
    return { day, counts: of as Readonly<Record<string, number>> };
  });
  return (
    <Section title={words.byDay}>
      <DaysChart
        label={`${words.byDay}: ${words.lastDays(number(shown.length))}`}
        days={shown}
        series={outcomeNames
          .filter((name) => shown.some((one) => (one.counts[name] ?? 0) > 0))
          .map((name) => ({ name, label: words.outcomes[name] ?? name }))}
        first={['entered', 'sent', 'clicked', 'goal_reached']}
      />
    </Section>
  );
}
