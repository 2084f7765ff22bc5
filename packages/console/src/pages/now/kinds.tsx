import { Button, Card, Group, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { now } from '../../text/now.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Rows } from '../../ui/list.tsx';
import { To } from '../../ui/to.tsx';
import { useIsPhone } from '../../ui/use-is-phone.ts';
import { Moment, useDelay, useNumber } from '../../ui/values.tsx';

interface Kind {
  kind: string;
  per_second: number;
  events: number;
  quarantined: number;
  last_received_at: string | null;
  publish_delay: { p50_ms: number; p99_ms: number; target_ms: number } | null;
}

/**
 * Events by kind. The publish delay of each kind is compared with the one second that the interface requires. On a
 * phone, each kind is a separate card, so they are shown only when the user presses a button.
 */
export function Kinds({ kinds }: { kinds: readonly Kind[] }) {
  const words = useWords(now);
  const { common } = useText();
  const nameOf = useCode();
  const number = useNumber();
  const received = kinds.filter(({ events, last_received_at }) => events > 0 || last_received_at !== null);
  const isPhone = useIsPhone();
  const [isOpen, setOpen] = useState(false);
  if (received.length === 0) return null;
  const shown = isPhone && !isOpen ? [] : received;
  return (
    <Card withBorder padding="sm">
      <Title order={3} size="h5" mb="xs">
        {words.kinds}
      </Title>
      {shown.length > 0 && (
        <Rows
          scope="kinds"
          items={shown}
          keyOf={({ kind }) => kind}
          columns={[
            {
              title: words.kind,
              sort: { name: 'kind', of: ({ kind }) => nameOf(kind) },
              show: ({ kind }) => (
                <To to="integration/inspector" search={{ kind }}>
                  {nameOf(kind)}
                </To>
              ),
            },
            {
              title: words.perSecond,
              align: 'right',
              sort: { name: 'rate', of: ({ per_second }) => per_second },
              show: ({ per_second }) => number(per_second),
            },
            {
              title: words.lastDay,
              align: 'right',
              sort: { name: 'events', of: ({ events }) => events },
              show: ({ events }) => number(events),
            },
            {
              title: words.delays,
              align: 'right',
              sort: { name: 'delay', of: ({ publish_delay }) => publish_delay?.p99_ms ?? null },
              show: ({ publish_delay }) => (publish_delay === null ? common.none : <Delay of={publish_delay} />),
            },
            {
              title: words.quarantined,
              align: 'right',
              sort: { name: 'quarantined', of: ({ quarantined }) => quarantined },
              show: ({ kind, quarantined }) =>
                quarantined === 0 ? (
                  number(quarantined)
                ) : (
                  <To to="integration/quarantine" search={{ state: 'open', kind }}>
                    {number(quarantined)}
                  </To>
                ),
            },
            {
              title: words.last,
              sort: { name: 'last', of: ({ last_received_at }) => last_received_at },
              show: ({ last_received_at }) => <Moment at={last_received_at} />,
            },
          ]}
        />
      )}
      {shown.length < received.length && (
        <Button variant="default" size="xs" mt="xs" onClick={() => setOpen(true)}>
          {words.allKinds(number(received.length))}
        </Button>
      )}
    </Card>
  );
}

function Delay({ of: { p50_ms, p99_ms, target_ms } }: { of: NonNullable<Kind['publish_delay']> }) {
  const words = useWords(now);
  const delay = useDelay();
  const isLate = p99_ms > target_ms;
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      <Text span size="sm" data-tone={isLate ? 'warning' : 'good'}>
        {delay(p50_ms)} / {delay(p99_ms)}
      </Text>
      <span className="against" title={words.target} aria-hidden>
        <span
          data-tone={isLate ? 'warning' : 'good'}
          style={{ width: `${Math.min(100, (p99_ms / target_ms) * 100)}%` }}
        />
      </span>
    </Group>
  );
}
