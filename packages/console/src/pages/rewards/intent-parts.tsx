import { Card, Code, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { rewards } from '../../text/rewards.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Rows } from '../../ui/list.tsx';
import { Money } from '../../ui/money.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, Named, State, useNumber } from '../../ui/values.tsx';
import type { IntentShown } from './queries.ts';

/* The lists of the page of a bonus. */

/** The calls to the operator, with its answers. */
export function Calls({ attempts }: Pick<IntentShown, 'attempts'>) {
  const { intent: words } = useWords(rewards);
  const { common } = useText();
  const number = useNumber();
  return (
    <Part title={words.calls} none={attempts.length === 0 && words.noCalls}>
      <Rows
        items={attempts}
        keyOf={({ attempt_no }) => attempt_no}
        columns={[
          { title: common.when, show: ({ started_at }) => <Moment at={started_at} /> },
          { title: common.state, show: ({ outcome }) => <State of={outcome ?? 'sending'} /> },
          {
            title: words.took,
            align: 'right',
            show: ({ took_ms }) => (took_ms === null ? common.none : `${number(took_ms)} ms`),
          },
          {
            title: words.call,
            show: ({ request }) =>
              request === null ? (
                common.none
              ) : (
                <Code block tabIndex={0}>
                  {request.method} {request.path}
                  {'\n'}
                  {JSON.stringify(request.body, null, 2)}
                </Code>
              ),
          },
          {
            title: words.answer,
            show: ({ answer, detail }) => (
              <Stack gap={4}>
                {answer === null ? (
                  words.noAnswer
                ) : (
                  <Code block tabIndex={0}>
                    {answer.status} {answer.body}
                  </Code>
                )}
                {detail !== null && <Text size="xs">{detail}</Text>}
              </Stack>
            ),
          },
        ]}
      />
    </Part>
  );
}

/** The bonuses of the operator that belong to this one. */
export function Grants({ grants }: Pick<IntentShown, 'grants'>) {
  const { intent: words } = useWords(rewards);
  const { common } = useText();
  return (
    <Part title={words.grants} none={grants.length === 0 && words.noGrants}>
      <Rows
        items={grants}
        keyOf={({ user_bonus_id }) => user_bonus_id}
        columns={[
          { title: common.code, show: ({ user_bonus_id }) => user_bonus_id },
          { title: common.reason, show: ({ how }) => <Named of={how} /> },
          { title: common.when, show: ({ since }) => <Moment at={since} /> },
        ]}
      />
    </Part>
  );
}

/** The history of the state. */
export function Changes({ changes }: Pick<IntentShown, 'changes'>) {
  const { intent: words } = useWords(rewards);
  const nameOf = useCode();
  const { common } = useText();
  return (
    <Part title={words.changes} none={changes.length === 0 && words.noChanges}>
      <Rows
        items={changes}
        keyOf={({ at, event }) => `${at} ${event}`}
        columns={[
          { title: common.when, show: ({ at }) => <Moment at={at} /> },
          { title: words.event, show: ({ event }) => <Named of={event} /> },
          { title: common.state, show: ({ state }) => <State of={state} /> },
          {
            title: common.reason,
            show: ({ reason, actor, note }) =>
              [reason && nameOf(reason), actor, note].filter(Boolean).join(' · ') || common.none,
          },
        ]}
      />
    </Part>
  );
}

/** The decisions of the gate, with links to them. */
export function Decisions({ intentId, decisions }: Pick<IntentShown, 'decisions'> & { intentId: string }) {
  const { intent: words } = useWords(rewards);
  const { common } = useText();
  return (
    <Part title={words.decisions} none={decisions.length === 0 && words.noDecisions}>
      <Rows
        items={decisions}
        keyOf={({ decision_id }) => decision_id}
        columns={[
          {
            title: common.when,
            show: ({ decision_id, decided_at }) => (
              <To to="compliance/decisions" search={{ cause_id: intentId, row: String(decision_id) }}>
                <Moment at={decided_at} />
              </To>
            ),
          },
          { title: common.state, show: ({ outcome }) => <State of={outcome} /> },
          { title: common.reason, show: ({ reason }) => <Named of={reason} /> },
        ]}
      />
    </Part>
  );
}

/** The amounts that budgets reserve for this bonus. */
export function Reservations({ reservations }: Pick<IntentShown, 'reservations'>) {
  const { intent: words } = useWords(rewards);
  const { common } = useText();
  return (
    <Part title={words.budgets} none={reservations.length === 0 && words.noBudgets}>
      <Rows
        items={reservations}
        keyOf={({ budget_id }) => budget_id}
        columns={[
          { title: common.name, show: ({ name }) => name },
          { title: common.state, show: ({ state }) => <State of={state} /> },
          { title: words.amount, align: 'right', show: ({ amount }) => <Money of={amount} /> },
        ]}
      />
    </Part>
  );
}

function Part({ title, none, children }: { title: string; none: string | false; children: ReactNode }) {
  return (
    <Card withBorder>
      <Title order={3} size="h4" mb="xs">
        {title}
      </Title>
      {none === false ? children : <Text size="sm">{none}</Text>}
    </Card>
  );
}
