import { Card, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { every } from '../../api/live.ts';
import { campaignVersionsQuery } from '../../api/queries.ts';
import { campaignEditor } from '../../text/campaign-editor.ts';
import { campaignPage } from '../../text/campaign-page.ts';
import { runPage } from '../../text/run-page.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { useDurationWords } from '../../ui/duration.ts';
import { Fields } from '../../ui/fields.tsx';
import { Page, useAddressPart, useBrand } from '../../ui/page.tsx';
import { To } from '../../ui/to.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { Moment, Named } from '../../ui/values.tsx';
import { readText } from '../campaign/draft/edits.ts';
import { CampaignLink } from '../campaign-link.tsx';
import { PlayerLink } from '../player-link.tsx';
import { RunState } from '../run-state.tsx';
import { EntryCause } from './entry-cause.tsx';
import { RunSteps } from './run-steps.tsx';

const refreshMs = 2_000;
const ended: readonly string[] = ['done', 'goal_reached', 'exited', 'failed'];

/** One player on the way through a campaign: why the run began, what each step did, and what it waits for. */
export function RunPage() {
  const brand = useBrand();
  const run_id = Number(useAddressPart('id'));
  const words = useWords(runPage);
  const { nameOfRun, step: stepWord, cause } = useWords(campaignPage);
  const { common } = useText();
  const shown = useQuery({
    queryKey: [brand, 'run', run_id],
    refetchInterval: every(refreshMs),
    queryFn: () =>
      bodyOf(api.GET('/api/console/v1/brands/{brand}/runs/{run_id}', { params: { path: { brand, run_id } } })),
  });
  const code = shown.data?.campaign;
  // The document of the run's version describes the steps. The page is shown before it is loaded.
  const versions = useQuery({ ...campaignVersionsQuery(brand, code ?? ''), enabled: code !== undefined });
  if (shown.isPending) return <LoadingPage />;
  if (shown.isLoadingError) return <FailedPage error={shown.error} onRetry={() => shown.refetch()} />;
  const run = shown.data;
  const document = versions.data?.items.find(({ version }) => version === run.version)?.document;
  const isOver = ended.includes(run.state);
  const fields: (readonly [string, ReactNode])[] = [
    [common.state, <RunState key="state" run={run} />],
    [common.reason, <Named key="reason" of={run.reason} />],
    [common.player, <PlayerLink key="player" brand={brand} userId={run.user_id} />],
    [
      words.campaign,
      <Group key="campaign" gap={6}>
        <CampaignLink code={run.campaign} />
        <Text size="sm">
          ({common.version} {run.version})
        </Text>
      </Group>,
    ],
    [words.entered, <Moment key="entered" at={run.entered_at} />],
    [cause, <EntryCause key="cause" cause={run.cause} />],
    [stepWord, run.step ?? common.none],
    [words.waitsFor, isOver ? words.nothing : <WaitsFor key="waits" run={run} />],
    ...(isOver
      ? []
      : ([[words.nextMove, run.due_at === null ? words.noEnd : <Moment key="due" at={run.due_at} />]] as const)),
    [words.goal, <Goal key="goal" run={run} document={document} />],
    [words.variant, run.variant ?? common.none],
    [words.moved, <Moment key="moved" at={run.moved_at} />],
  ];
  return (
    <Page
      title={nameOfRun(String(run.run_id))}
      actions={
        <To to={`campaigns/${run.campaign}`} search={{ tab: 'runs' }}>
          {words.all}
        </To>
      }
    >
      <Fields of={fields} />
      <Card withBorder>
        <Title order={3} size="h4">
          {words.steps}
        </Title>
        <Text size="sm" c="dimmed" mb="sm">
          {words.stepsAbout}
        </Text>
        <RunSteps run={run} document={document} />
        {run.steps_cut && (
          <Text size="sm" c="dimmed" mt="sm">
            {words.stepsCut}
          </Text>
        )}
      </Card>
    </Page>
  );
}

interface Waiting {
  state: string;
  reason: string | null;
  waits_for: string | null;
}

function WaitsFor({ run: { reason, waits_for } }: { run: Waiting }) {
  const words = useWords(runPage);
  const nameOf = useCode();
  if (waits_for === null) return <>{reason === null ? '–' : nameOf(reason)}</>;
  return <>{words.waits[waits_for] ?? nameOf(waits_for)}</>;
}

interface GoalProps {
  run: { state: string; goal_until: string | null };
  /** The document of the run's version. Undefined until it is loaded. */
  document: unknown;
}

function Goal({ run: { state, goal_until }, document }: GoalProps) {
  const words = useWords(runPage);
  const { events } = useWords(campaignEditor);
  const duration = useDurationWords();
  if (document === undefined) return <>–</>;
  const event = readText(document, ['goal', 'event']);
  if (event === '') return <>{words.noGoal}</>;
  const within = readText(document, ['goal', 'within']);
  const name = (events as Readonly<Record<string, string>>)[event] ?? event;
  return (
    <>
      {within === '' ? name : words.goalWithin(name, duration(within))}
      {state === 'goal_reached' && ` (${words.goalReached})`}
      {goal_until !== null && (
        <>
          {' '}
          ({words.goalWatched} <Moment at={goal_until} />)
        </>
      )}
    </>
  );
}
