import { Alert, Card, Code, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { every } from '../../api/live.ts';
import { rewards } from '../../text/rewards.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Sure, useAct } from '../../ui/act.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Rows } from '../../ui/list.tsx';
import { useMay } from '../../ui/may.tsx';
import { Money } from '../../ui/money.tsx';
import { Page, useAddressPart, useBrand } from '../../ui/page.tsx';
import { To } from '../../ui/to.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { Moment, Named, State, useNumber } from '../../ui/values.tsx';
import { CampaignLink } from '../campaign-link.tsx';
import { PlayerLink } from '../player-link.tsx';
import { CreatedBy } from './created-by.tsx';
import { Resolution } from './resolution.tsx';
import { isOpenQuestion } from './settling-change.ts';

const refreshMs = 2_000;
/** The states in which it is certain that nothing has been credited yet. */
const revocable: readonly string[] = ['offered', 'pending', 'retry'];

/** One bonus, with everything that is known about it. If its outcome is unknown, a person records the outcome here. */
export function Intent() {
  const brand = useBrand();
  const intent_id = useAddressPart('id');
  const { intent: words } = useWords(rewards);
  const nameOf = useCode();
  const { common } = useText();
  const number = useNumber();
  const may = useMay();
  const params = { path: { brand, intent_id } };
  const touches = [brand, 'intent', intent_id];
  const shown = useQuery({
    queryKey: touches,
    refetchInterval: every(refreshMs),
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/bonus-intents/{intent_id}', { params })),
  });
  const cancel = useAct(
    () => api.POST('/api/console/v1/brands/{brand}/bonus-intents/{intent_id}/cancel', { params, body: {} }),
    { touches, done: words.cancelled },
  );
  if (shown.isPending) return <LoadingPage />;
  if (shown.isLoadingError) return <FailedPage error={shown.error} onRetry={() => shown.refetch()} />;
  const { intent, attempts, changes, decisions, grants, reservations } = shown.data;
  return (
    <Page
      title={intent.bonus_code}
      actions={
        <>
          <To to="rewards/intents">{words.all}</To>
          {may('bonus.credit') && revocable.includes(intent.state) && (
            <Sure label={words.cancel} text={words.cancelSure} color="red" onSure={() => cancel.mutate()} />
          )}
        </>
      }
    >
      {isOpenQuestion(intent.state) && (
        <Alert color="red" title={words.why}>
          {words.unknown}
        </Alert>
      )}
      <Fields
        of={[
          [common.state, <State key="state" of={intent.state} />],
          [common.reason, <Named key="reason" of={intent.reason} />],
          [
            common.player,
            intent.user_id === null ? common.none : <PlayerLink key="player" brand={brand} userId={intent.user_id} />,
          ],
          [words.amount, [intent.amount, intent.currency].filter(Boolean).join(' ') || common.none],
          [
            words.reference,
            intent.references.activity_id == null ? (
              common.none
            ) : (
              <CampaignLink key="campaign" code={intent.references.activity_id} />
            ),
          ],
          [words.createdBy, <CreatedBy key="by" of={intent.created_by} />],
          [common.when, <Moment key="created" at={intent.created_at} />],
          ...(intent.offered
            ? ([
                [words.expires, <Moment key="expires" at={intent.expires_at} />],
                [words.claimed, <Moment key="claimed" at={intent.claimed_at} />],
              ] as const)
            : []),
        ]}
      />
      {may('bonus.resolve') && <Resolution brand={brand} intent={intent} changes={changes} />}
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
      <Part title={words.decisions} none={decisions.length === 0 && words.noDecisions}>
        <Rows
          items={decisions}
          keyOf={({ decision_id }) => decision_id}
          columns={[
            {
              title: common.when,
              show: ({ decision_id, decided_at }) => (
                <To to="compliance/decisions" search={{ cause_id: intent_id, row: String(decision_id) }}>
                  <Moment at={decided_at} />
                </To>
              ),
            },
            { title: common.state, show: ({ outcome }) => <State of={outcome} /> },
            { title: common.reason, show: ({ reason }) => <Named of={reason} /> },
          ]}
        />
      </Part>
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
    </Page>
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
