import { Badge, Card, Group, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconChevronDown, IconChevronUp, IconFlame } from '@tabler/icons-react';
import { useState } from 'react';
import { now } from '../../text/now.ts';
import { useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { useAgo } from '../../ui/ago.ts';
import { pageOfList } from '../../ui/page-of-list.ts';
import { To } from '../../ui/to.tsx';
import { useNumber } from '../../ui/values.tsx';

interface Alarm {
  code: string;
  severity: 'critical' | 'warning';
  message: string;
  since: string | null;
  list: string | null;
}

const iconSize = 18;

/** Alarms that need attention, the most urgent first. Alarms of the same kind share one line, which can be opened. */
export function Alarms({ alarms }: { alarms: readonly Alarm[] }) {
  const words = useWords(now);
  const number = useNumber();
  const groups = grouped(alarms);
  return (
    <Card withBorder padding="sm">
      <Group gap="xs" mb="xs">
        <Title order={3} size="h5">
          {words.attention}
        </Title>
        <Badge variant="default">{number(alarms.length)}</Badge>
      </Group>
      <Stack gap={0} component="ul" className="alarms">
        {[...groups].map(([name, group]) => (
          <AlarmGroup key={name} alarms={group} />
        ))}
      </Stack>
    </Card>
  );
}

/** Groups alarms by severity and kind. Their order stays the same. */
function grouped(alarms: readonly Alarm[]): Map<string, Alarm[]> {
  const groups = new Map<string, Alarm[]>();
  for (const alarm of alarms) {
    const name = `${alarm.severity} ${alarm.code}`;
    groups.set(name, [...(groups.get(name) ?? []), alarm]);
  }
  return groups;
}

function AlarmGroup({ alarms }: { alarms: readonly Alarm[] }) {
  const words = useWords(now);
  const nameOf = useCode();
  const number = useNumber();
  const [isOpen, setOpen] = useState(false);
  const [first, ...others] = alarms;
  if (first === undefined) return null;
  const Icon = first.severity === 'critical' ? IconFlame : IconAlertTriangle;
  return (
    <li>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <Icon size={iconSize} className={`alarm-${first.severity}`} aria-label={nameOf(first.severity)} role="img" />
        <Stack gap={2} flex={1} miw={0}>
          <Text size="sm" fw={600}>
            {nameOf(first.code)}
          </Text>
          <AlarmLine alarm={first} />
          {isOpen && others.map((alarm) => <AlarmLine key={alarm.message} alarm={alarm} />)}
          {others.length > 0 && (
            <UnstyledButton className="more" fz="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? <IconChevronUp size={12} /> : <IconChevronDown size={12} />} {words.more(number(others.length))}
            </UnstyledButton>
          )}
        </Stack>
      </Group>
    </li>
  );
}

function AlarmLine({ alarm: { message, since, list } }: { alarm: Alarm }) {
  const ago = useAgo();
  const page = list === null ? undefined : pageOfList(list);
  return (
    <Group gap="xs">
      {page === undefined ? (
        <Text size="sm">{message}</Text>
      ) : (
        <To to={page.to} search={page.search} isSentence>
          {message}
        </To>
      )}
      {since !== null && (
        <Text component="time" size="xs" c="dimmed" dateTime={since} title={since}>
          {ago(since)}
        </Text>
      )}
    </Group>
  );
}
