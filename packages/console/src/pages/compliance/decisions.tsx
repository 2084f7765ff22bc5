import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { compliance } from '../../text/compliance.ts';
import { places } from '../../text/places.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Choice, useFilters, Words } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { useMay } from '../../ui/may.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Moment, State, useNumber } from '../../ui/values.tsx';
import { PlayerLink } from '../players.tsx';
import { DecisionInputs } from './decision-inputs.tsx';

const refreshMs = 5_000;
const channels = ['email', 'sms', 'telephone', 'post_mail', 'site', 'push', 'webhook', 'operator', 'bonus'] as const;

/** What the gate decided, each with its inputs. */
export function Decisions() {
  const brand = useBrand();
  const { decisions: words } = useWords(compliance);
  const title = useWords(places).pages.decisions;
  const { common } = useText();
  const number = useNumber();
  const may = useMay();
  const { filters } = useFilters();
  const { open, ...narrowed } = filters;
  const [shown, setShown] = useState<number | undefined>(open === undefined ? undefined : Number(open));
  const query = new URLSearchParams(narrowed).toString();
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
      <Group align="flex-end">
        <Words name="user_id" label={common.player} />
        <Choice name="outcome" label={words.outcome} of={['allowed', 'withheld', 'held']} />
        <Choice name="channel" label={words.channel} of={channels} />
        <Choice name="purpose" label={words.purpose} of={['marketing', 'service', 'bonus']} />
        <Words name="from" label={words.from} />
        <Words name="to" label={words.to} />
      </Group>
      <List
        name={[brand, 'decisions', narrowed]}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/decisions', {
              params: { path: { brand }, query: { ...narrowed, ...(cursor && { cursor }) } },
            }),
          )
        }
        keyOf={({ decision_id }) => decision_id}
        empty={words.none}
        columns={[
          { title: common.when, show: ({ decided_at }) => <Moment at={decided_at} /> },
          {
            title: common.player,
            show: ({ user_id, player_id }) =>
              user_id === null ? `# ${player_id}` : <PlayerLink brand={brand} userId={user_id} />,
          },
          { title: words.channel, show: ({ channel, purpose }) => `${channel}, ${purpose}` },
          { title: words.outcome, show: ({ outcome }) => <State of={outcome} /> },
          { title: common.reason, show: ({ reason }) => reason?.replaceAll('_', ' ') ?? common.none },
          { title: words.cause, show: ({ cause }) => `${cause.kind} ${cause.id}` },
          {
            title: words.inputs,
            show: (decision) => {
              const isShown = shown === decision.decision_id;
              return (
                <Stack gap="xs">
                  <Button
                    size="compact-xs"
                    variant="light"
                    aria-expanded={isShown}
                    onClick={() => setShown(isShown ? undefined : decision.decision_id)}
                  >
                    {isShown ? words.hide : words.show}
                  </Button>
                  {isShown && (
                    <>
                      <DecisionInputs inputs={decision.inputs} />
                      <Text size="xs">
                        {words.rule} {decision.rule_version}. {words.sealed}:{' '}
                        {decision.seal_no === null ? words.open : number(decision.seal_no)}
                      </Text>
                    </>
                  )}
                </Stack>
              );
            },
          },
        ]}
      />
    </Page>
  );
}
