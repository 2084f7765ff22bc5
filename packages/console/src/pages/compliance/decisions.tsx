import { Anchor, Stack, Text } from '@mantine/core';
import { api, bodyOf } from '../../api/client.ts';
import { compliance } from '../../text/compliance.ts';
import { places } from '../../text/places.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Choice, Day, FilterBar, useFilters } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { useMay } from '../../ui/may.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { PlayerFilter } from '../../ui/player-filter.tsx';
import { Empty } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, Named, State, useNumber } from '../../ui/values.tsx';
import { gateReasons } from '../gate-reasons.ts';
import { PlayerLink } from '../player-link.tsx';
import { Cause } from './cause.tsx';
import { DecisionInputs } from './decision-inputs.tsx';

const refreshMs = 5_000;
const channels = ['email', 'sms', 'telephone', 'post_mail', 'site', 'push', 'webhook', 'operator', 'bonus'] as const;

/** The decisions of the gate, each with its inputs. */
export function Decisions() {
  const brand = useBrand();
  const { decisions: words } = useWords(compliance);
  const nameOf = useCode();
  const title = useWords(places).pages.decisions;
  const { common } = useText();
  const number = useNumber();
  const may = useMay();
  const { filters } = useFilters();
  const query = new URLSearchParams(filters).toString();
  const exported = (form: 'csv' | 'jsonl') =>
    `/api/console/v1/brands/${brand}/decisions/export.${form}${query === '' ? '' : `?${query}`}`;
  return (
    <Page
      title={title}
      about={words.about}
      actions={
        may('decision.export') && (
          <>
            <Anchor href={exported('csv')} download size="sm">
              {words.csv}
            </Anchor>
            <Anchor href={exported('jsonl')} download size="sm">
              {words.jsonl}
            </Anchor>
          </>
        )
      }
    >
      <FilterBar isNarrow>
        <PlayerFilter />
        <Choice name="outcome" label={words.outcome} of={['allowed', 'withheld', 'held']} />
        <Choice name="channel" label={words.channel} of={channels} />
        <Choice name="purpose" label={words.purpose} of={['marketing', 'service', 'bonus']} />
        <Choice name="reason" label={common.reason} of={gateReasons} />
        <Day name="from" label={words.from} edge="start" />
        <Day name="to" label={words.to} edge="end" />
      </FilterBar>
      <List
        name={[brand, 'decisions', filters]}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/decisions', {
              params: { path: { brand }, query: { ...filters, ...(cursor && { cursor }) } },
            }),
          )
        }
        keyOf={({ decision_id }) => decision_id}
        empty={
          Object.keys(filters).length === 0 ? (
            <Empty next={<To to="campaigns">{words.toCampaigns}</To>}>{words.none}</Empty>
          ) : (
            common.noMatch
          )
        }
        detail={({ inputs, rule_version, seal_no }) => (
          <Stack gap="xs">
            <DecisionInputs inputs={inputs} />
            <Text size="xs">
              {words.rule} {rule_version}. {words.sealed}: {seal_no === null ? words.open : number(seal_no)}
            </Text>
          </Stack>
        )}
        columns={[
          { title: common.when, show: ({ decided_at }) => <Moment at={decided_at} /> },
          {
            title: common.player,
            show: ({ user_id, player_id }) =>
              user_id === null ? `# ${player_id}` : <PlayerLink brand={brand} userId={user_id} />,
          },
          {
            title: words.channel,
            show: ({ channel, purpose }) => [...new Set([nameOf(channel), nameOf(purpose)])].join(', '),
          },
          { title: words.outcome, show: ({ outcome }) => <State of={outcome} /> },
          { title: common.reason, show: ({ reason }) => <Named of={reason} /> },
          {
            title: words.cause,
            show: ({ cause, channel, campaign, user_id }) => (
              <Cause cause={cause} channel={channel} campaign={campaign} userId={user_id} />
            ),
          },
        ]}
      />
    </Page>
  );
}
