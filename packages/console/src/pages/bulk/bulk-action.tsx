import { Alert, Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { every } from '../../api/live.ts';
import { bulk } from '../../text/bulk.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Sure, useAct } from '../../ui/act.tsx';
import { CountTile } from '../../ui/count-tile.tsx';
import { Fields } from '../../ui/fields.tsx';
import { useFilters } from '../../ui/filters.tsx';
import { useMay } from '../../ui/may.tsx';
import { useName } from '../../ui/named/use-names.ts';
import { Page, useAddressPart, useBrand } from '../../ui/page.tsx';
import { To } from '../../ui/to.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { Moment, State, useNumber } from '../../ui/values.tsx';
import { CampaignLink } from '../campaign-link.tsx';
import { CreatedBy } from '../rewards/created-by.tsx';
import { SegmentLink } from '../segment-link.tsx';
import { ProgressOf } from './bulk-actions.tsx';
import { useGets } from './gets.ts';
import { type Action, isRunning } from './queries.ts';
import { Reached } from './reached.tsx';
import { RecallMessages } from './recall-messages.tsx';

const refreshMs = 1_000;
/** Only these channels have an inbox, from which messages can be recalled. */
const recallable: readonly unknown[] = ['site', 'push'];

/** One message or offer to a segment: its progress, and the players by outcome. It continues when the user leaves the page. */
export function BulkAction() {
  const brand = useBrand();
  const action_id = Number(useAddressPart('id'));
  const { one: words } = useWords(bulk);
  const may = useMay();
  const gets = useGets();
  const params = { path: { brand, action_id } };
  const touches = [brand, 'bulk-action', action_id];
  const shown = useQuery({
    queryKey: touches,
    refetchInterval: every(refreshMs),
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/bulk-actions/{action_id}', { params })),
  });
  const cancel = useAct(() => api.POST('/api/console/v1/brands/{brand}/bulk-actions/{action_id}/cancel', { params }), {
    touches,
    done: words.cancelled,
  });
  const segmentName = useName(shown.data && { segment: shown.data.segment });
  if (shown.isPending) return <LoadingPage />;
  if (shown.isLoadingError) return <FailedPage error={shown.error} onRetry={() => shown.refetch()} />;
  const action = shown.data;
  const { kind, does, segment, campaign_id, waits_for } = action;
  return (
    <Page
      title={words.to(gets(action), segmentName || segment)}
      actions={
        <>
          <To to="messages/bulk-actions">{words.all}</To>
          {may('message.recall') && kind === 'message' && recallable.includes(does.channel) && (
            <RecallMessages campaignId={campaign_id} continues={isRunning(action) ? 'bulk action' : undefined} />
          )}
          {may('message.recall') && isRunning(action) && (
            <Sure label={words.cancel} text={words.cancelSure} color="red" onSure={() => cancel.mutate()} />
          )}
        </>
      }
    >
      {waits_for !== null && (
        <Alert color="yellow">
          <Text size="sm">{waits_for === 'segment' ? words.waitsForSegment : words.waitsForFailure}</Text>
          {waits_for === 'segment' && (
            <To to={`segments/${segment}`} isSentence>
              {words.toSegment}
            </To>
          )}
        </Alert>
      )}
      <About action={action} />
      <Outcomes action={action} />
      <Reached brand={brand} action={action} />
    </Page>
  );
}

/** The order, and how far it is. */
function About({ action }: { action: Action }) {
  const { one: words } = useWords(bulk);
  const { common } = useText();
  const number = useNumber();
  const gets = useGets();
  const { state, segment, does, campaign_id, players } = action;
  const says = does.says as { template?: string } | undefined;
  return (
    <Fields
      of={[
        [common.state, <State key="state" of={state} />],
        [
          words.progress,
          state === 'gathering' ? words.listed(number(players)) : <ProgressOf key="progress" action={action} />,
        ],
        [words.segment, <SegmentLink key="segment" code={segment} />],
        [
          words.gets,
          says?.template === undefined ? (
            gets(action) + (says === undefined ? '' : `, ${words.ownText}`)
          ) : (
            <To key="template" to={`messages/templates/${says.template}`}>
              {gets(action)}
            </To>
          ),
        ],
        ...(Array.isArray(does.products) && does.products.length > 0
          ? ([[words.products, does.products.join(', ')]] as const)
          : []),
        ...(campaign_id === `bulk-${action.action_id}`
          ? []
          : ([[words.campaign, <CampaignLink key="campaign" code={campaign_id} />]] as const)),
        [words.pace, words.perSecond(number(action.per_second))],
        ...(typeof does.expires_at === 'string'
          ? ([[words.expires, <Moment key="expires" at={does.expires_at} />]] as const)
          : []),
        [
          words.ordered,
          <span key="ordered">
            <Moment at={action.created_at} />, <CreatedBy of={action.created_by} />
          </span>,
        ],
        ...(action.cancelled_by === null
          ? []
          : ([[words.cancelledBy, <CreatedBy key="cancelled" of={action.cancelled_by} />]] as const)),
        [words.finished, <Moment key="finished" at={action.finished_at} />],
      ]}
    />
  );
}

/** Outcomes in the order in which a player passes them. */
const states = ['sent', 'held', 'waiting', 'withheld', 'skipped', 'failed', 'listed'] as const;

/** The number of players with each outcome. Each number lists its players. */
function Outcomes({ action: { counts, withheld } }: { action: Action }) {
  const { one: words } = useWords(bulk);
  const number = useNumber();
  const nameOf = useCode();
  const { set } = useFilters();
  return (
    <Stack gap="sm">
      <Title order={3} size="h5">
        {words.outcomes}
      </Title>
      <SimpleGrid cols={{ base: 2, sm: 4, lg: 7 }}>
        {states.map((state) => (
          <CountTile key={state} count={counts[state] ?? 0} label={nameOf(state)} onClick={() => set({ state })} />
        ))}
      </SimpleGrid>
      {Object.keys(withheld).length > 0 && (
        <Group gap="xs">
          <Text size="sm">{words.withheld}:</Text>
          {Object.entries(withheld).map(([reason, count]) => (
            <Button key={reason} size="compact-sm" variant="default" onClick={() => set({ state: 'withheld', reason })}>
              {nameOf(reason)} {number(count)}
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  );
}
