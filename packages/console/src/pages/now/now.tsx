import { Alert, Button, SimpleGrid } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { overviewQuery } from '../../api/queries.ts';
import { now as nowWords } from '../../text/now.ts';
import { useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Page, useBrand } from '../../ui/page.tsx';
import { SparkBars } from '../../ui/spark-bars.tsx';
import { Stat } from '../../ui/stat.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { useIsPhone } from '../../ui/use-is-phone.ts';
import { useDelay, useNumber } from '../../ui/values.tsx';
import { Alarms } from './alarms.tsx';
import { Concerns, needsAttention } from './concerns.tsx';
import { ChannelHealth, OperatorHealth } from './health.tsx';
import { Kinds } from './kinds.tsx';

/** Limits above which the lag and the publish delay indicate a problem. The first is in seconds, the second in milliseconds. */
const lagTarget = 1;
const delayTarget = 1_000;

/**
 * The current state of a brand's feed, and what needs attention. On a phone, the counts of waiting work come before the
 * texts of the alarms.
 */
export function Now() {
  const brand = useBrand();
  const words = useWords(nowWords);
  const nameOf = useCode();
  const number = useNumber();
  const delayText = useDelay();
  const isPhone = useIsPhone();
  const overview = useQuery(overviewQuery(brand));
  if (overview.isPending) return <LoadingPage />;
  if (overview.isLoadingError) return <FailedPage error={overview.error} onRetry={() => overview.refetch()} />;
  const { events_per_second, lag, alarms, go_live, kinds, minutes, concerns } = overview.data;
  const slowest = kinds
    .filter(({ publish_delay }) => publish_delay !== null)
    .toSorted((a, b) => (b.publish_delay?.p99_ms ?? 0) - (a.publish_delay?.p99_ms ?? 0))[0];
  const delay = slowest?.publish_delay ?? null;
  const done = go_live.steps.filter(({ state }) => state === 'done').length;
  const warned = go_live.steps.filter(({ state }) => state === 'warning').length;
  const attention = concerns.filter(needsAttention).length;
  const hour = minutes.map(({ events }) => events);
  return (
    <Page title={words.title} about={words.about}>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <Stat title={words.rate} value={number(events_per_second)} to={{ to: 'live' }}>
          <SparkBars values={hour} label={words.rateHour(number(Math.max(...hour)))} />
        </Stat>
        <Stat
          title={words.lag}
          value={`${number(lag.seconds)} s`}
          note={words.lagNote}
          tone={lag.seconds > lagTarget ? 'bad' : 'good'}
          to={{ to: 'integration/inspector', search: { verdict: 'pending' } }}
        />
        <Stat
          title={words.delay}
          value={delay === null ? '–' : delayText(delay.p99_ms)}
          note={slowest === undefined ? words.noDelay : words.delayNote(nameOf(slowest.kind))}
          {...(delay !== null && { tone: delay.p99_ms > delayTarget ? ('warning' as const) : ('good' as const) })}
          to={{ to: 'integration/inspector', ...(slowest !== undefined && { search: { kind: slowest.kind } }) }}
        />
        <Stat
          title={words.goLive}
          value={go_live.ready ? words.ready : `${done} / ${go_live.steps.length}`}
          {...(go_live.ready && warned > 0 && { note: words.stepsNeed(warned) })}
          tone={go_live.ready && warned === 0 ? 'good' : 'warning'}
          to={{ to: 'integration/checklist' }}
        />
      </SimpleGrid>
      {kinds.length === 0 && (
        <Alert color="blue">
          {words.nothingYet}{' '}
          <Button component={Link} to={`/${brand}/integration/keys`} size="compact-sm" variant="default">
            {words.toKeys}
          </Button>
        </Alert>
      )}
      {isPhone && <Concerns concerns={concerns} />}
      {alarms.length > 0 && <Alarms alarms={alarms} />}
      {alarms.length === 0 && kinds.length > 0 && (
        <Alert
          color={attention === 0 ? 'green' : 'yellow'}
          icon={attention === 0 ? <IconCircleCheck /> : <IconAlertTriangle />}
        >
          {attention === 0 ? words.calm : words.calmExcept(attention)}
        </Alert>
      )}
      {!isPhone && <Concerns concerns={concerns} />}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
        <OperatorHealth brand={brand} />
        <ChannelHealth brand={brand} />
      </SimpleGrid>
      <Kinds kinds={kinds} />
    </Page>
  );
}
