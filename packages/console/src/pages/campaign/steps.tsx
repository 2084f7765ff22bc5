import { Button, Card, Checkbox, Group, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { campaignEditor } from '../../text/campaign-editor.ts';
import { useWords } from '../../text/text.tsx';
import {
  addStep,
  type Draft,
  duplicateStep,
  kindIn,
  kinds,
  moveStep,
  type Place,
  read,
  removeStep,
  write,
} from './edits.ts';
import { JsonField } from './json-field.tsx';

export interface Editing {
  draft: Draft;
  change(draft: Draft): void;
  /** What is wrong at a place or below it. */
  errorAt(place: Place): string | undefined;
}

const label = (kind: string) => kind.replaceAll('_', ' ');

/** A list of steps; the arms of a branch or split hold lists of their own. */
export function Steps({ list, ...editing }: Editing & { list: Place }) {
  const words = useWords(campaignEditor);
  const { draft, change } = editing;
  const held = read(draft, list);
  const steps: readonly unknown[] = Array.isArray(held) ? held : [];
  return (
    <Stack gap="sm">
      {steps.length === 0 && (
        <Text size="sm" c="dimmed">
          {words.noSteps}
        </Text>
      )}
      {steps.map((step, at) => (
        <StepCard key={String(read(step, ['id']))} list={list} at={at} {...editing} />
      ))}
      <Select
        aria-label={words.add}
        placeholder={words.add}
        maw={280}
        value={null}
        data={kinds.map((kind) => ({ value: kind, label: label(kind) }))}
        onChange={(kind) => kind !== null && change(addStep(draft, list, kind))}
      />
    </Stack>
  );
}

function StepCard({ list, at, ...editing }: Editing & { list: Place; at: number }) {
  const words = useWords(campaignEditor);
  const { draft, change, errorAt } = editing;
  const place = [...list, at];
  const step = read(draft, place);
  const kind = kindIn(step) ?? '';
  const own = [...place, kind];
  const id = String(read(step, ['id']) ?? '');
  const arms = read(draft, own);
  const error = errorAt(place);
  const action = (name: string, done: () => Draft) => (
    <Button size="xs" variant="default" aria-label={`${name}: ${id}`} onClick={() => change(done())}>
      {name}
    </Button>
  );
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-end">
          <Group align="flex-end">
            <Text fw={600}>
              {at + 1}. {label(kind)}
            </Text>
            <TextInput
              key={id}
              size="xs"
              label={words.id}
              defaultValue={id}
              onBlur={({ currentTarget: { value } }) => value !== id && change(write(draft, [...place, 'id'], value))}
            />
          </Group>
          <Group gap="xs">
            {action(words.up, () => moveStep(draft, list, at, -1))}
            {action(words.down, () => moveStep(draft, list, at, 1))}
            {action(words.copy, () => duplicateStep(draft, list, at))}
            {action(words.remove, () => removeStep(draft, list, at))}
          </Group>
        </Group>
        {error !== undefined && (
          <Text size="sm" c="red" role="alert">
            {error}
          </Text>
        )}
        {(kind === 'branch' || kind === 'split') && Array.isArray(arms) ? (
          arms.map((_, arm) => <Arm key={[...own, arm].join('/')} arm={[...own, arm]} {...editing} />)
        ) : (
          <JsonField
            label={words.value}
            value={read(draft, own)}
            onChange={(value) => change(write(draft, own, value ?? {}))}
          />
        )}
      </Stack>
    </Card>
  );
}

function Arm({ arm, ...editing }: Editing & { arm: Place }) {
  const words = useWords(campaignEditor);
  const { draft, change } = editing;
  const held = (read(draft, arm) ?? {}) as Draft;
  const set = (name: string, value: unknown) => change(write(draft, [...arm, name], value));
  if ('otherwise' in held)
    return (
      <Stack gap="xs" pl="md">
        <Text size="sm">{words.otherwise}</Text>
        <Steps list={[...arm, 'otherwise']} {...editing} />
      </Stack>
    );
  return (
    <Stack gap="xs" pl="md">
      {'when' in held ? (
        <JsonField label={words.when} value={held.when} onChange={(rule) => set('when', rule ?? {})} />
      ) : (
        <Group align="flex-end">
          <TextInput
            key={String(held.name)}
            label={words.arm}
            defaultValue={String(held.name ?? '')}
            onBlur={({ currentTarget: { value } }) => value !== held.name && set('name', value)}
          />
          <NumberInput
            label={words.share}
            min={0}
            max={100}
            value={Number(held.share ?? 0)}
            onChange={(share) => set('share', Number(share))}
          />
          <Checkbox
            label={words.control}
            checked={held.control === true}
            onChange={({ currentTarget: { checked } }) => set('control', checked || undefined)}
          />
        </Group>
      )}
      {held.control !== true && <Steps list={[...arm, 'steps']} {...editing} />}
    </Stack>
  );
}
