import { Button, Card, Group, Input, NumberInput, Select, Stack, Text, Title } from '@mantine/core';
import { DurationInput } from '../../../rule-builder/index.ts';
import { compliance } from '../../../text/compliance.ts';
import { useWords } from '../../../text/text.tsx';
import { useCode } from '../../../text/use-code.ts';
import { type Cap, type Channel, capChannels, type Purpose, purposes } from './rules.ts';

interface FrequencyCapsProps {
  caps: readonly Cap[];
  onChange(caps: Cap[]): void;
}

/** How many messages a player may get within a duration, for each channel and purpose. */
export function FrequencyCaps({ caps, onChange }: FrequencyCapsProps) {
  const { rules: words } = useWords(compliance);
  return (
    <Card withBorder>
      <Title order={3} size="h4">
        {words.caps}
      </Title>
      <Stack>
        {caps.length === 0 && <Text size="sm">{words.noCaps}</Text>}
        {caps.map((cap, place) => (
          <CapFields
            // biome-ignore lint/suspicious/noArrayIndexKey: caps have no id, and their fields have no state
            key={place}
            cap={cap}
            onChange={(to) => onChange(caps.map((one, at) => (at === place ? to : one)))}
            onRemove={() => onChange(caps.filter((_, at) => at !== place))}
          />
        ))}
        <Group>
          <Button variant="light" onClick={() => onChange([...caps, { times: 1, within: 'P1D' }])}>
            {words.add}
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}

interface CapFieldsProps {
  cap: Cap;
  onChange(cap: Cap): void;
  onRemove(): void;
}

function CapFields({ cap, onChange, onRemove }: CapFieldsProps) {
  const { rules: words } = useWords(compliance);
  const nameOf = useCode();
  const named = (values: readonly string[]) => values.map((value) => ({ value, label: nameOf(value) }));
  const { channel, purpose, times, within } = cap;
  return (
    <Group align="flex-end">
      <NumberInput
        label={words.times}
        min={1}
        w={90}
        value={times}
        onChange={(value) => onChange({ ...cap, times: Number(value) })}
      />
      <Input.Wrapper label={words.within} labelElement="div">
        <DurationInput
          label={words.within}
          size="sm"
          value={within}
          units="MHDW"
          onChange={(value) => onChange({ ...cap, within: value })}
        />
      </Input.Wrapper>
      <Select
        label={words.channel}
        clearable
        data={named(capChannels)}
        value={channel ?? null}
        onChange={(value) => onChange({ ...cap, channel: value as Channel | null })}
      />
      <Select
        label={words.purpose}
        clearable
        data={named(purposes)}
        value={purpose ?? null}
        onChange={(value) => onChange({ ...cap, purpose: value as Purpose | null })}
      />
      <Button variant="default" onClick={onRemove}>
        {words.remove}
      </Button>
    </Group>
  );
}
