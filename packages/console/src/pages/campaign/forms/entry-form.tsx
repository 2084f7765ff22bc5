import { Group, Input, NativeSelect, NumberInput, Stack, Text } from '@mantine/core';
import { campaignEditor } from '../../../text/campaign-editor.ts';
import { useWords } from '../../../text/text.tsx';
import { useEditing, useField } from '../draft/editing.ts';
import { isObject, read, write } from '../draft/edits.ts';
import { Alternatives } from './choices.tsx';
import { EventFields } from './event-fields.tsx';
import { ChoiceField, DurationField, NamedField, NumberField, TextField } from './fields.tsx';
import { RuleField } from './rule-field.tsx';
import { Switch } from './switch.tsx';

type EntryKind = 'event' | 'segment' | 'schedule' | 'api';

/** The initial content of an entry, by kind. */
const beginnings: Readonly<Record<EntryKind, unknown>> = {
  event: { event: 'payment' },
  segment: { segment: '', on: 'entered' },
  schedule: { schedule: { every: 'P1D', at: '10:00' } },
  api: { api: true },
};

const entry = ['entry'];
const schedule = ['entry', 'schedule'];

/** The form for what starts a run, who may enter, and whether players may enter again. */
export function EntryForm() {
  const words = useWords(campaignEditor);
  const { draft, change } = useEditing();
  const kind = entryKindOf(draft.entry);
  return (
    <Stack>
      <Alternatives
        label={words.begins}
        value={kind}
        of={words.entries}
        onChange={(to) => change(write(draft, entry, beginnings[to]))}
      />
      {kind === 'event' && <EventFields place={entry} />}
      {kind === 'segment' && <SegmentFields />}
      {kind === 'schedule' && <ScheduleFields />}
      {kind === 'api' && <Text size="sm">{words.apiHint}</Text>}
      <RuleField
        place={['audience']}
        label={words.parts.audience}
        description={words.audienceHint}
        none={words.noAudience}
        add={words.addRule}
        counts
      />
      <ReentryFields />
    </Stack>
  );
}

export function entryKindOf(written: unknown): EntryKind {
  if (!isObject(written)) return 'event';
  return (['segment', 'schedule', 'api'] as const).find((kind) => kind in written) ?? 'event';
}

function SegmentFields() {
  const words = useWords(campaignEditor);
  return (
    <Group grow align="flex-start">
      <NamedField
        list="segments"
        place={['entry', 'segment']}
        label={words.segment}
        placeholder={words.chooseSegment}
        isRequired
      />
      <ChoiceField
        place={['entry', 'on']}
        label={words.on}
        isRequired
        data={[
          { value: 'entered', label: words.onEntered },
          { value: 'left', label: words.onLeft },
        ]}
      />
    </Group>
  );
}

function ScheduleFields() {
  const words = useWords(campaignEditor);
  const { draft, change } = useEditing();
  const isRepeated = isObject(read(draft, schedule)) && 'every' in (read(draft, schedule) as object);
  const zone = read(draft, [...schedule, 'zone']);
  const choose = (how: 'once' | 'again') =>
    change(
      write(draft, schedule, {
        ...(how === 'again' ? { every: 'P1D', at: '10:00' } : { at: '' }),
        ...(zone !== undefined && { zone }),
      }),
    );
  return (
    <Stack gap="sm">
      <Alternatives
        label={words.how}
        value={isRepeated ? 'again' : 'once'}
        of={{ once: words.once, again: words.again }}
        onChange={choose}
      />
      {isRepeated ? (
        <Group align="flex-start">
          <EveryField />
          <TextField place={[...schedule, 'at']} label={words.time} type="time" isRequired />
          <TextField place={[...schedule, 'from']} label={words.from} description={words.fromHint} type="date" />
        </Group>
      ) : (
        <TextField place={[...schedule, 'at']} label={words.at} type="datetime-local" isRequired />
      )}
      <Group grow align="flex-start">
        <ChoiceField
          place={[...schedule, 'zone']}
          label={words.zone}
          usual="brand"
          data={[
            { value: 'brand', label: words.zones.brand },
            { value: 'player', label: words.zones.player },
          ]}
        />
        <NamedField list="segments" place={['entry', 'to']} label={words.to} placeholder={words.everybody} />
      </Group>
    </Stack>
  );
}

/** A field for whole days, weeks, months or years. The durations of waits do not include months and years. */
function EveryField() {
  const words = useWords(campaignEditor);
  const { value, set, error, disabled } = useField([...schedule, 'every']);
  const [, count = '1', unit = 'D'] = /^P(\d+)([DWMY])$/.exec(String(value)) ?? [];
  return (
    <Input.Wrapper label={words.every} error={error} labelElement="div">
      <Group gap="xs" wrap="nowrap">
        <NumberInput
          w={80}
          min={1}
          aria-label={words.every}
          value={Number(count)}
          allowDecimal={false}
          disabled={disabled}
          onChange={(number) => set(`P${number || 1}${unit}`)}
        />
        <NativeSelect
          aria-label={`${words.every}: ${words.how}`}
          value={unit}
          disabled={disabled}
          data={Object.entries(words.everyUnits).map(([name, label]) => ({ value: name, label }))}
          onChange={({ currentTarget }) => set(`P${count}${currentTarget.value}`)}
        />
      </Group>
    </Input.Wrapper>
  );
}

type ReentryKind = 'once' | 'times' | 'unlimited' | 'after';

function reentryKindOf(reentry: unknown): ReentryKind {
  if (!isObject(reentry)) return 'once';
  if ('after' in reentry) return 'after';
  if (reentry.times === 'unlimited') return 'unlimited';
  return reentry.times === 1 ? 'once' : 'times';
}

const reentries: Readonly<Record<ReentryKind, unknown>> = {
  once: undefined,
  times: { times: 2 },
  unlimited: { times: 'unlimited' },
  after: { after: 'P30D' },
};

function ReentryFields() {
  const words = useWords(campaignEditor);
  const { draft, change } = useEditing();
  const kind = reentryKindOf(draft.reentry);
  return (
    <Stack gap="sm">
      <Alternatives
        label={words.reentry}
        value={kind}
        of={words.reentries}
        onChange={(to) => change(write(draft, ['reentry'], reentries[to]))}
      />
      {kind === 'times' && <NumberField place={['reentry', 'times']} label={words.times} min={1} isWhole isRequired />}
      {(kind === 'times' || kind === 'unlimited') && (
        <Switch place={['reentry', 'while_running']} label={words.whileRunning} />
      )}
      {kind === 'after' && <DurationField place={['reentry', 'after']} label={words.pause} units="MHDW" />}
    </Stack>
  );
}
