import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { campaignPage } from '../../../text/campaign-page.ts';
import { useWords } from '../../../text/text.tsx';
import { useFilters } from '../../../ui/filters.tsx';
import { Empty, Failed, Loading } from '../../../ui/states.tsx';
import { StepName } from '../steps/step-name.tsx';
import { AmountPlayers, type AmountQuery } from './amount-players.tsx';
import { Comparison, defaultWindowDays, mostWindowDays } from './comparison.tsx';
import { Costs } from './costs.tsx';
import { CountsTable } from './counts-table.tsx';
import { Days } from './days.tsx';
import { Funnel } from './funnel.tsx';
import { OutcomePlayers, type OutcomeQuery } from './outcome-players.tsx';
import { resultsQuery } from './queries.ts';
import { ReasonBars } from './reason-bars.tsx';
import { useStepKinds } from './use-step-kinds.ts';

/** Results of a campaign: counts with their lists, days, costs, and a comparison of its arms. */
export default function Results({ brand, code }: { brand: string; code: string }) {
  const words = useWords(campaignPage);
  const { filters, change } = useFilters();
  const asked = Number(filters.window ?? defaultWindowDays) || defaultWindowDays;
  const windowDays = Math.min(mostWindowDays, Math.max(1, asked));
  const [listed, setListed] = useState<OutcomeQuery>();
  const [listedAmount, setListedAmount] = useState<AmountQuery>();
  const results = useQuery(resultsQuery(brand, code, windowDays));
  const kindOf = useStepKinds(brand, code);
  if (results.isPending) return <Loading />;
  if (results.isLoadingError) return <Failed error={results.error} onRetry={() => results.refetch()} />;
  const { data } = results;
  if (data.entered === 0) return <Empty>{words.noResults}</Empty>;
  return (
    <Stack gap="xl">
      <Funnel counts={data} effects={data.effects} show={setListed} />
      <Days brand={brand} code={code} />
      {(['withheld', 'failed', 'unknown'] as const).map((outcome) => (
        <ReasonBars
          key={outcome}
          title={words.effectsBy[outcome]}
          reasons={data[`${outcome}_by`]}
          show={(reason) => setListed({ outcome, reason })}
        />
      ))}
      <Comparison
        splits={data.splits}
        windowDays={windowDays}
        onWindow={(days) => change('window', Number(days) === defaultWindowDays ? null : String(days))}
        show={setListed}
        showAmount={setListedAmount}
      />
      <CountsTable
        title={words.byStep}
        rows={data.effects}
        keyOf={({ version, step }) => `${version} ${step}`}
        first={[
          { title: words.step, show: ({ version, step }) => <StepName step={step} kind={kindOf(version, step)} /> },
          { title: words.tabs.versions, align: 'right', show: ({ version }) => version },
        ]}
        queryOf={({ version, step }) => ({ version, step })}
        show={setListed}
      />
      {data.versions.length > 1 && (
        <CountsTable
          title={words.byVersion}
          rows={data.versions}
          keyOf={({ version }) => String(version)}
          first={[{ title: words.tabs.versions, align: 'right', show: ({ version }) => version }]}
          queryOf={({ version }) => ({ version })}
          show={setListed}
        />
      )}
      <Costs costs={data.costs} kindOf={kindOf} show={setListedAmount} />
      <OutcomePlayers brand={brand} code={code} of={listed} close={() => setListed(undefined)} />
      <AmountPlayers brand={brand} code={code} of={listedAmount} close={() => setListedAmount(undefined)} />
    </Stack>
  );
}
