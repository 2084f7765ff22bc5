import { Alert, Group, Stack, Tabs, Text } from '@mantine/core';
import { api, bodyOf } from '../../api/client.ts';
import { integration } from '../../text/integration.ts';
import { places } from '../../text/places.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Sure, useAct } from '../../ui/act.tsx';
import { useFilters } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { useMay } from '../../ui/may.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { TabRow } from '../../ui/tab-row.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, useNumber } from '../../ui/values.tsx';
import { PlayerLink } from '../player-link.tsx';

const refreshMs = 5_000;
const lists = ['parked', 'too-old', 'segments'] as const;
const labels = { parked: 'parked', 'too-old': 'tooOld', segments: 'segments' } as const;

/** Events that have no effect, because they wait or are older than the history, and players whose segments cannot be updated. */
export function Parked() {
  const { parked: words } = useWords(integration);
  const title = useWords(places).pages.parked;
  const { filters, change } = useFilters();
  const list = lists.find((one) => one === filters.list) ?? 'parked';
  const choose = (to: string | null) => change('list', to);
  return (
    <Page title={title} about={words.about}>
      <Tabs value={list} onChange={choose} keepMounted={false}>
        <TabRow tabs={lists.map((value) => ({ value, label: words[labels[value]] }))} active={list} onChoose={choose} />
        <Tabs.Panel value="parked" pt="md">
          <ParkedEvents />
        </Tabs.Panel>
        <Tabs.Panel value="too-old" pt="md">
          <TooOldEvents />
        </Tabs.Panel>
        <Tabs.Panel value="segments" pt="md">
          <SegmentFailures />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function ParkedEvents() {
  const brand = useBrand();
  const { parked: words } = useWords(integration);
  const { common } = useText();
  const number = useNumber();
  return (
    <List
      name={[brand, 'parked']}
      refreshMs={refreshMs}
      read={(cursor) =>
        bodyOf(
          api.GET('/api/console/v1/brands/{brand}/parked', {
            params: { path: { brand }, query: cursor ? { cursor } : {} },
          }),
        )
      }
      keyOf={({ user_id, cause, oldest }) => `${user_id} ${cause} ${oldest.position}`}
      empty={<Empty next={<To to="integration/inspector">{words.allEvents}</To>}>{words.noParked}</Empty>}
      columns={[
        {
          title: common.player,
          show: ({ user_id }) => (user_id === null ? common.none : <PlayerLink brand={brand} userId={user_id} />),
        },
        { title: words.cause, show: ({ reason }) => reason },
        { title: words.events, align: 'right', show: ({ events }) => number(events) },
        {
          title: words.oldest,
          show: ({ oldest }) => (
            <Group gap="xs">
              <To to={`integration/inspector/${encodeURIComponent(oldest.position)}`}>{oldest.kind}</To>
              <Moment at={oldest.received_at} />
            </Group>
          ),
        },
        { title: words.attempts, align: 'right', show: ({ attempts }) => number(attempts) },
        { title: words.retry, show: ({ retry_at }) => <Moment at={retry_at} /> },
      ]}
    />
  );
}

function SegmentFailures() {
  const brand = useBrand();
  const { parked: words } = useWords(integration);
  const { common } = useText();
  const number = useNumber();
  return (
    <List
      name={[brand, 'segment-failures']}
      refreshMs={refreshMs}
      read={(cursor) =>
        bodyOf(
          api.GET('/api/console/v1/brands/{brand}/segment-failures', {
            params: { path: { brand }, query: cursor ? { cursor } : {} },
          }),
        )
      }
      keyOf={({ user_id, since }) => `${user_id} ${since}`}
      empty={<Empty next={<To to="segments">{words.allSegments}</To>}>{words.noSegmentFailures}</Empty>}
      columns={[
        {
          title: common.player,
          show: ({ user_id }) => (user_id === null ? common.none : <PlayerLink brand={brand} userId={user_id} />),
        },
        { title: words.cause, show: ({ reason }) => reason },
        { title: words.since, show: ({ since }) => <Moment at={since} /> },
        { title: words.attempts, align: 'right', show: ({ failures }) => number(failures) },
        { title: words.lastTry, show: ({ failed_at }) => <Moment at={failed_at} /> },
      ]}
    />
  );
}

/** The platform counts at most this many events. */
const mostCounted = 10_000;

/**
 * Events older than the history. Imported events leave this list immediately. Until a worker has applied them, they are
 * among the parked events.
 */
function TooOldEvents() {
  const brand = useBrand();
  const { parked: words } = useWords(integration);
  const nameOf = useCode();
  const { common } = useText();
  const number = useNumber();
  const may = useMay()('event.repair');
  const touches = [brand, 'too-old'];
  const importing = useAct(
    (body: { positions: string[] } | { all: true }) =>
      bodyOf(api.POST('/api/console/v1/brands/{brand}/too-old/import', { params: { path: { brand } }, body })),
    { touches },
  );
  const { data: answer } = importing;
  return (
    <Stack align="stretch">
      {may && (
        <Group>
          <Sure label={words.importAll} text={words.importSure} onSure={() => importing.mutate({ all: true })} />
        </Group>
      )}
      {answer !== undefined && (
        <Alert role="status">
          <Text size="sm">
            {words.importing(number(answer.imported), `${number(answer.left)}${answer.left >= mostCounted ? '+' : ''}`)}
          </Text>
          {answer.imported > 0 && (
            <To to="integration/parked" search={{ list: 'parked' }} isSentence>
              {words.notApplied}
            </To>
          )}
        </Alert>
      )}
      <List
        name={touches}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/too-old', {
              params: { path: { brand }, query: cursor ? { cursor } : {} },
            }),
          )
        }
        keyOf={({ position }) => position}
        empty={<Empty next={<To to="integration/history">{words.daysOfHistory}</To>}>{words.noTooOld}</Empty>}
        columns={[
          {
            title: words.kind,
            show: ({ position, kind }) => (
              <To to={`integration/inspector/${encodeURIComponent(position)}`}>{nameOf(kind)}</To>
            ),
          },
          { title: common.player, show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} /> },
          { title: words.happened, show: ({ timestamp }) => <Moment at={timestamp} /> },
          { title: words.received, show: ({ received_at }) => <Moment at={received_at} /> },
          {
            title: words.importable,
            show: ({ position, importable }) =>
              importable && may ? (
                <Sure
                  size="xs"
                  label={words.importOne}
                  text={words.importSure}
                  onSure={() => importing.mutate({ positions: [position] })}
                />
              ) : (
                words[importable ? 'yes' : 'no']
              ),
          },
        ]}
      />
    </Stack>
  );
}
