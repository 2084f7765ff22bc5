import {
  Autocomplete,
  Button,
  Card,
  Checkbox,
  CloseButton,
  Group,
  Input,
  MultiSelect,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../../api/client.ts';
import { campaignEventsQuery } from '../../../api/queries.ts';
import { DurationInput } from '../../../rule-builder/index.ts';
import { campaignTrial } from '../../../text/campaign-trial.ts';
import { useWords } from '../../../text/text.tsx';
import { Failed } from '../../../ui/states.tsx';
import { useEvents, useRuleFields, withOwn } from '../draft/catalogs.ts';
import { useEditing } from '../draft/editing.ts';
import type { Draft } from '../draft/edits.ts';
import { type NamedValue, type ScenarioEvent, type ScenarioState, scenarioCall } from './scenario-state.ts';
import { Timeline, type TimelineRow } from './timeline.tsx';

interface ScenarioProps {
  state: ScenarioState;
  change(state: ScenarioState): void;
}

/** Tries the current draft on an invented player, or on a copy of a real one. */
export function Scenario({ state, change }: ScenarioProps) {
  const words = useWords(campaignTrial);
  const { brand, draft, checked } = useEditing();
  const [tried, setTried] = useState<{ rows: readonly TimelineRow[]; document: Draft; number: number }>();
  const run = useMutation({
    mutationFn: async (document: Draft) => {
      const body = scenarioCall(state, document, new Date());
      const { timeline } = await bodyOf(
        api.POST('/api/console/v1/brands/{brand}/campaigns/scenario', {
          params: { path: { brand } },
          body: body as never,
        }),
      );
      setTried((before) => ({ rows: timeline, document, number: (before?.number ?? 0) + 1 }));
    },
  });
  const set = (part: Partial<ScenarioState>) => change({ ...state, ...part });
  const hasMistakes = checked.errors.length > 0;
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <PlayerCard state={state} set={set} />
        <EventsCard state={state} set={set} />
      </SimpleGrid>
      <Group align="flex-end">
        <Input.Wrapper label={words.length} labelElement="div">
          <Group gap="xs">
            <DurationInput
              label={words.length}
              size="sm"
              units="MHDW"
              value={state.length}
              onChange={(length) => set({ length })}
            />
          </Group>
        </Input.Wrapper>
        <Button disabled={hasMistakes} loading={run.isPending} onClick={() => run.mutate(draft)}>
          {words.run}
        </Button>
        {hasMistakes && <Text size="sm">{words.hasMistakes}</Text>}
      </Group>
      {run.isError && <Failed error={run.error} />}
      {tried !== undefined && <Timeline key={tried.number} rows={tried.rows} document={tried.document} />}
    </Stack>
  );
}

interface CardProps {
  state: ScenarioState;
  set(part: Partial<ScenarioState>): void;
}

function PlayerCard({ state, set }: CardProps) {
  const words = useWords(campaignTrial);
  const fields = useRuleFields();
  const named = (prefix: string) =>
    fields.flatMap(({ field }) => (field.startsWith(prefix) ? [field.slice(prefix.length)] : []));
  return (
    <Card withBorder component="section" aria-label={words.player}>
      <Stack gap="sm">
        <Title order={3} size="h5">
          {words.player}
        </Title>
        <Select
          label={words.player}
          allowDeselect={false}
          data={Object.entries(words.players).map(([value, label]) => ({ value, label }))}
          value={state.player}
          onChange={(player) => set({ player: player === 'copy' ? 'copy' : 'made' })}
        />
        {state.player === 'copy' && (
          <TextInput
            label={words.copyOf}
            description={words.copyHint}
            value={state.copyOf}
            onChange={({ currentTarget }) => set({ copyOf: currentTarget.value })}
          />
        )}
        <NamedValues
          label={words.details}
          name={words.detail}
          add={words.addDetail}
          offered={named('profile.')}
          values={state.profile}
          change={(profile) => set({ profile })}
        />
        {state.player === 'made' && (
          <NamedValues
            label={words.traits}
            hint={words.traitsHint}
            name={words.trait}
            add={words.addTrait}
            offered={named('trait.')}
            values={state.traits}
            change={(traits) => set({ traits })}
          />
        )}
        <MultiSelect
          label={words.refuses}
          data={named('consent.')}
          value={[...state.refused]}
          searchable
          onChange={(refused) => set({ refused })}
        />
        <TagsInput label={words.tags} value={[...state.tags]} onChange={(tags) => set({ tags })} />
        <Group>
          <Checkbox
            label={words.excluded}
            checked={state.excluded}
            onChange={({ currentTarget }) => set({ excluded: currentTarget.checked })}
          />
          <Checkbox
            label={words.blocked}
            checked={state.blocked}
            onChange={({ currentTarget }) => set({ blocked: currentTarget.checked })}
          />
        </Group>
      </Stack>
    </Card>
  );
}

function EventsCard({ state, set }: CardProps) {
  const words = useWords(campaignTrial);
  const { draft } = useEditing();
  const { events } = state;
  const isByCall = typeof draft.entry === 'object' && draft.entry !== null && 'api' in draft.entry;
  const add = () => set({ events: [...events, { kind: events.at(-1)?.kind ?? 'login', after: 'PT1H', fields: [] }] });
  return (
    <Card withBorder component="section" aria-label={words.happens}>
      <Stack gap="sm">
        <Title order={3} size="h5">
          {words.happens}
        </Title>
        {isByCall && <Text size="sm">{words.entersByCall}</Text>}
        {events.map((event, at) => (
          <EventFields
            // biome-ignore lint/suspicious/noArrayIndexKey: only its place identifies an event
            key={at}
            event={event}
            change={(changed) => set({ events: events.with(at, changed) })}
            remove={() => set({ events: events.toSpliced(at, 1) })}
          />
        ))}
        <Group>
          <Button size="compact-sm" variant="default" onClick={add}>
            {words.addEvent}
          </Button>
          <Text size="sm" c="dimmed">
            {words.usual}
          </Text>
        </Group>
      </Stack>
    </Card>
  );
}

interface EventFieldsProps {
  event: ScenarioEvent;
  change(event: ScenarioEvent): void;
  remove(): void;
}

function EventFields({ event, change, remove }: EventFieldsProps) {
  const words = useWords(campaignTrial);
  const { brand } = useEditing();
  const events = useEvents();
  const { data } = useQuery(campaignEventsQuery(brand));
  const usual = data?.items.find((one) => one.event === event.kind)?.body ?? {};
  return (
    <Card withBorder padding="sm">
      <Stack gap="xs">
        <Group align="flex-end" wrap="nowrap">
          <Select
            label={words.event}
            data={withOwn(events, event.kind)}
            value={event.kind}
            searchable
            allowDeselect={false}
            onChange={(kind) => kind !== null && change({ ...event, kind, fields: [] })}
          />
          <Input.Wrapper label={words.after} labelElement="div">
            <Group gap="xs" wrap="nowrap">
              <DurationInput
                label={words.after}
                size="sm"
                units="SMHDW"
                value={event.after}
                onChange={(after) => change({ ...event, after })}
              />
            </Group>
          </Input.Wrapper>
          <CloseButton aria-label={words.removeEvent} title={words.removeEvent} onClick={remove} />
        </Group>
        <NamedValues
          label={words.eventFields}
          name={words.field}
          add={words.addField}
          offered={Object.keys(usual).filter((name) => name !== 'user_id' && name !== 'timestamp')}
          usual={usual}
          values={event.fields}
          change={(fields) => change({ ...event, fields })}
        />
      </Stack>
    </Card>
  );
}

interface NamedValuesProps {
  label: string;
  hint?: string;
  /** Labels of a row. */
  name: string;
  add: string;
  offered: readonly string[];
  /** The default of a missing field. */
  usual?: Readonly<Record<string, unknown>>;
  values: readonly NamedValue[];
  change(values: readonly NamedValue[]): void;
}

/** Names with values, one per row. */
function NamedValues({ label, hint, name, add, offered, usual = {}, values, change }: NamedValuesProps) {
  const words = useWords(campaignTrial);
  const free = offered.filter((one) => !values.some((value) => value.name === one));
  return (
    <Input.Wrapper label={label} labelElement="div" description={hint}>
      <Stack gap={6}>
        {values.map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names change while they are typed
          <Group key={at} gap="xs" wrap="nowrap">
            <Autocomplete
              aria-label={name}
              data={free}
              limit={50}
              value={one.name}
              style={{ flex: 1 }}
              onChange={(typed) => change(values.with(at, { ...one, name: typed }))}
            />
            <TextInput
              aria-label={`${words.value}: ${one.name}`}
              value={one.value}
              placeholder={usual[one.name] === undefined ? '' : String(usual[one.name])}
              style={{ flex: 1 }}
              onChange={({ currentTarget }) => change(values.with(at, { ...one, value: currentTarget.value }))}
            />
            <CloseButton aria-label={words.removeRow(one.name)} onClick={() => change(values.toSpliced(at, 1))} />
          </Group>
        ))}
        <Group>
          <Button size="compact-sm" variant="default" onClick={() => change([...values, { name: '', value: '' }])}>
            {add}
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}
