import { Alert, Anchor, Card, Group, Progress, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { overviewQuery } from '../../api/queries.ts';
import { brandSettings } from '../../text/brand-settings.ts';
import { integration } from '../../text/integration.ts';
import { places } from '../../text/places.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Folded } from '../../ui/folded.tsx';
import { Rows } from '../../ui/list.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { To } from '../../ui/to.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { Moment, State, useDelay } from '../../ui/values.tsx';
import { type StepState, stepCounts, worstState } from './step-counts.ts';

const colors: Readonly<Record<StepState, string>> = {
  failing: 'red',
  warning: 'yellow',
  not_started: 'blue',
  done: 'green',
};

/** The remaining steps before the brand can go live. */
export function Checklist() {
  const brand = useBrand();
  const { checklist: words } = useWords(integration);
  const { fields } = useWords(brandSettings);
  const nameOf = useCode();
  const title = useWords(places).pages.checklist;
  const { common } = useText();
  const delayText = useDelay();
  const overview = useQuery(overviewQuery(brand));
  if (overview.isPending) return <LoadingPage />;
  if (overview.isLoadingError) return <FailedPage error={overview.error} onRetry={() => overview.refetch()} />;
  const { steps, further, proposals, ready } = overview.data.go_live;
  const counts = stepCounts(steps);
  const furtherCounts = stepCounts(further);
  const worst = worstState(stepCounts([...steps, ...further]));
  const delayOf = (delay: { p50_ms: number; p99_ms: number } | null) =>
    delay === null ? common.none : `${delayText(delay.p50_ms)} / ${delayText(delay.p99_ms)}`;
  const labelOf = (setting: string) => fields[setting]?.[0];
  const why = ({ state, last_error, notes }: Pick<(typeof steps)[number], 'state' | 'last_error' | 'notes'>) => {
    const lines = notes.map(({ code, message, setting }) => ({
      key: code,
      line: (
        <>
          {message} {setting !== null && <Setting name={setting} label={labelOf(setting)} />}
        </>
      ),
    }));
    // A step that is done needs no action, even if an earlier call failed.
    if (last_error !== null && state !== 'done')
      lines.unshift(...last_error.messages.map((message) => ({ key: message, line: <>{message}</> })));
    return lines.length === 0 ? common.none : <Folded lines={lines} />;
  };
  return (
    <Page title={title} about={words.about}>
      <Alert color={colors[worst]} icon={worst === 'done' ? <IconCircleCheck /> : <IconAlertTriangle />}>
        {[ready ? words.ready : '', words.steps(counts), words.further(furtherCounts)].filter(Boolean).join(' ')}
      </Alert>
      {!ready && <Progress value={(counts.done / steps.length) * 100} aria-label={title} />}
      <Group gap="lg">
        <To to="integration/keys">{words.toKeys}</To>
        <To to="integration/inspector">{words.toInspector}</To>
        <To to="integration/operator">{words.toOperator}</To>
        <Anchor href="/docs" size="sm">
          {words.toDocs}
        </Anchor>
      </Group>
      <Rows
        items={steps}
        keyOf={({ step }) => step}
        columns={[
          { title: common.what, show: ({ step, item }) => `${step}. ${item}` },
          { title: common.state, show: ({ state }) => <State of={state} /> },
          { title: words.seen, show: ({ last_success }) => <Moment at={last_success} /> },
          { title: words.delay, align: 'right', show: ({ publish_delay }) => delayOf(publish_delay) },
          { title: words.next, show: why },
        ]}
      />
      {proposals.length > 0 && (
        <Card withBorder>
          <Title order={3} size="h4">
            {words.proposals}
          </Title>
          <Rows
            items={proposals}
            keyOf={({ setting }) => setting}
            columns={[
              {
                title: words.setting,
                show: ({ setting }) => <Setting name={setting} label={labelOf(setting)} />,
              },
              { title: words.value, show: ({ value }) => <code>{value}</code> },
              { title: common.reason, show: ({ message }) => message },
            ]}
          />
        </Card>
      )}
      <Card withBorder>
        <Title order={3} size="h4">
          {words.furtherTitle}
        </Title>
        <Text size="sm" c="dimmed">
          {words.furtherAbout}
        </Text>
        <Rows
          items={further}
          keyOf={({ kind }) => kind}
          columns={[
            {
              title: common.what,
              show: ({ kind }) => (
                <To to="integration/inspector" search={{ kind }}>
                  {nameOf(kind)}
                </To>
              ),
            },
            { title: common.state, show: ({ state }) => <State of={state} /> },
            { title: words.seen, show: ({ last_success }) => <Moment at={last_success} /> },
            { title: words.delay, align: 'right', show: ({ publish_delay }) => delayOf(publish_delay) },
            { title: words.next, show: why },
          ]}
        />
      </Card>
    </Page>
  );
}

/** Shows a setting of the brand: its label, with a link to it. If it has no label, its name in the API is shown. */
function Setting({ name, label }: { name: string; label: string | undefined }) {
  return label === undefined ? <code>{name}</code> : <To to="settings/brand">{label}</To>;
}
