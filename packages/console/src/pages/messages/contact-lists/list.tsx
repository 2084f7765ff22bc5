import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { api, bodyOf } from '../../../api/client.ts';
import { contactLists } from '../../../text/contact-lists.ts';
import { useText, useWords } from '../../../text/text.tsx';
import { useCode } from '../../../text/use-code.ts';
import { Sure, useAct } from '../../../ui/act.tsx';
import { Choice, FilterBar, useFilters } from '../../../ui/filters.tsx';
import { List } from '../../../ui/list.tsx';
import { useMay } from '../../../ui/may.tsx';
import { Page, useAddressPart, useBrand } from '../../../ui/page.tsx';
import { To } from '../../../ui/to.tsx';
import { Moment, Named, State } from '../../../ui/values.tsx';
import { CampaignLink } from '../../campaign-link.tsx';
import { exportList } from './download.ts';
import { type Outcome, outcomes } from './outcome-file.ts';
import { UploadOutcomes } from './upload-outcomes.tsx';

const refreshMs = 4_000;
const states = ['waiting', 'exported', 'reached', 'not_reached', 'opted_out', 'withheld', 'dropped'] as const;
/** `ended` selects every state except the first two. */
const stateFilters = [...states, 'ended'] as const;

/** One list: its entries, exports, and the outcomes of its calls or letters. */
export function ContactList() {
  const brand = useBrand();
  const channel = useAddressPart('channel') as 'telephone' | 'post_mail';
  const list = useAddressPart('list');
  const words = useWords(contactLists);
  const nameOf = useCode();
  const { common } = useText();
  const may = useMay();
  const { filters } = useFilters();
  const touches = [brand, 'contact-lists'];
  const download = useAct((format: 'csv' | 'jsonl') => exportList(brand, { channel, list }, format), {
    touches,
    onDone: ({ players }) => notifications.show({ message: words.exportDone(players), color: 'green' }),
  });
  const report = useAct(
    ({ message_id, outcome }: { message_id: number; outcome: Outcome }) =>
      api.POST('/api/console/v1/brands/{brand}/lists/entries/{message_id}/outcome', {
        params: { path: { brand, message_id } },
        body: { outcome },
      }),
    { touches, done: words.reported },
  );
  const mayExport = may('personal.read');
  const mayReport = may('player.protect');
  return (
    <Page
      title={`${list} (${nameOf(channel)})`}
      about={words.aboutList}
      actions={
        <>
          {mayReport && <UploadOutcomes touches={touches} />}
          {mayExport && (
            <>
              <Button
                variant="default"
                loading={download.isPending && download.variables === 'jsonl'}
                onClick={() => download.mutate('jsonl')}
              >
                {words.exportLines}
              </Button>
              <Button
                loading={download.isPending && download.variables === 'csv'}
                onClick={() => download.mutate('csv')}
              >
                {words.exportCsv}
              </Button>
            </>
          )}
        </>
      }
    >
      <div>
        <To to="messages/contact-lists">{words.all}</To>
      </div>
      {!mayExport && (
        <Text size="sm" c="dimmed">
          {words.exportNeeds}
        </Text>
      )}
      <FilterBar>
        <Choice name="state" label={common.state} of={stateFilters} />
      </FilterBar>
      <List
        name={[...touches, channel, list, filters]}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/lists/{channel}/{list}/entries', {
              params: { path: { brand, channel, list }, query: { ...filters, ...(cursor && { cursor }) } },
            }),
          )
        }
        keyOf={({ message_id }) => message_id}
        empty={Object.keys(filters).length === 0 ? words.noEntries : words.noMatch}
        detail={({ created_at, expires_at }) => (
          <Text size="sm">
            {words.created} <Moment at={created_at} /> · {words.expires} <Moment at={expires_at} />
          </Text>
        )}
        columns={[
          {
            title: common.player,
            show: ({ user_id, first_name, last_name }) => (
              <>
                {user_id === null ? common.none : <To to={`players/${encodeURIComponent(user_id)}`}>{user_id}</To>}
                <Text size="xs">{[first_name, last_name].filter(Boolean).join(' ')}</Text>
              </>
            ),
          },
          { title: words.note, show: ({ note }) => note || common.none },
          {
            title: words.campaign,
            show: ({ campaign_id }) => (campaign_id === null ? common.none : <CampaignLink code={campaign_id} />),
          },
          {
            title: common.state,
            show: ({ state, reason }) => (
              <>
                <State of={state} />
                {reason !== null && (
                  <Text size="xs">
                    <Named of={reason} />
                  </Text>
                )}
              </>
            ),
          },
          { title: words.exportedAt, show: ({ exported_at }) => <Moment at={exported_at} /> },
          ...(mayReport
            ? [
                {
                  title: words.outcome,
                  show: ({ message_id, user_id, state, exported_at }: Entry) => (
                    <Group gap={4} wrap="nowrap">
                      {outcomes
                        .filter((outcome) => isPossible(outcome, state, exported_at))
                        .map((outcome) => {
                          const label = words.outcomes[outcome];
                          const about = words.of(label, user_id ?? common.none);
                          const tell = () => report.mutate({ message_id, outcome });
                          return outcome === 'opted_out' ? (
                            <Sure
                              key={outcome}
                              size="compact-sm"
                              label={label}
                              about={about}
                              text={words.optOutSure(user_id ?? common.none)}
                              onSure={tell}
                            />
                          ) : (
                            <Button key={outcome} size="compact-sm" variant="default" aria-label={about} onClick={tell}>
                              {label}
                            </Button>
                          );
                        })}
                    </Group>
                  ),
                },
              ]
            : []),
        ]}
      />
    </Page>
  );
}

interface Entry {
  message_id: number;
  user_id: string | null;
  state: (typeof states)[number];
  exported_at: string | null;
}

/** The platform takes an outcome after an export. A player who was reached can opt out later. */
function isPossible(outcome: Outcome, state: Entry['state'], exported_at: string | null): boolean {
  if (state === 'exported') return true;
  if (state === 'dropped') return exported_at !== null || outcome === 'opted_out';
  return outcome === 'opted_out' && (state === 'reached' || state === 'not_reached');
}
