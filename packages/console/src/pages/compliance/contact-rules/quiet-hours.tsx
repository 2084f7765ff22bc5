import { Card, Group, Text, TextInput, Title } from '@mantine/core';
import { compliance } from '../../../text/compliance.ts';
import { useWords } from '../../../text/text.tsx';
import type { Rules } from './rules.ts';

interface QuietHoursProps {
  hours: Rules['quiet_hours'];
  onChange(hours: Rules['quiet_hours']): void;
}

/** The hours in which campaigns and bulk actions send no messages. */
export function QuietHours({ hours, onChange }: QuietHoursProps) {
  const { rules: words } = useWords(compliance);
  return (
    <Card withBorder>
      <Title order={3} size="h4">
        {words.quiet}
      </Title>
      <Text size="sm" mb="xs">
        {words.quietAbout}
      </Text>
      <Group>
        <TextInput
          type="time"
          label={words.from}
          value={hours.from}
          onChange={({ currentTarget }) => onChange({ ...hours, from: currentTarget.value })}
        />
        <TextInput
          type="time"
          label={words.until}
          value={hours.to}
          onChange={({ currentTarget }) => onChange({ ...hours, to: currentTarget.value })}
        />
      </Group>
    </Card>
  );
}
