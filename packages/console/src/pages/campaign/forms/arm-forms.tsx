import { ActionIcon, Alert, Button, Card, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { campaignEditor } from '../../../text/campaign-editor.ts';
import { useWords } from '../../../text/text.tsx';
import { useNumber } from '../../../ui/values.tsx';
import { errorAt, useEditing } from '../draft/editing.ts';
import { type Draft, emptyRule, isObject, type Place, read, readList, readText, write } from '../draft/edits.ts';
import { RuleField } from './rule-field.tsx';
import { Switch } from './switch.tsx';

/** The arms of a branch. A run takes the first arm whose rule holds. The views show the steps of the arms. */
export function BranchForm({ place }: { place: Place }) {
  const words = useWords(campaignEditor);
  const { draft, mayEdit, change } = useEditing();
  const arms = readList(draft, place);
  const isOtherwise = (arm: unknown) => isObject(arm) && 'otherwise' in arm;
  const hasOtherwise = arms.some(isOtherwise);
  const add = () => {
    const before = hasOtherwise ? arms.findIndex(isOtherwise) : arms.length;
    change(write(draft, place, arms.toSpliced(before, 0, { when: emptyRule, steps: [] })));
  };
  return (
    <Stack gap="sm">
      {arms.map((arm, at) => (
        // An arm of a branch has no name, so its index identifies it.
        <ArmCard
          key={[...place, at].join('/')}
          place={place}
          at={at}
          title={isOtherwise(arm) ? words.otherwise : `${words.when} ${at + 1}`}
        >
          {!isOtherwise(arm) && (
            <RuleField
              place={[...place, at, 'when']}
              label={`${words.when} ${at + 1}`}
              none={words.everyPlayer}
              add={words.addRule}
              isRequired
            />
          )}
        </ArmCard>
      ))}
      {mayEdit && (
        <Group>
          <Button size="compact-sm" variant="default" onClick={add}>
            {words.addArm}
          </Button>
          {!hasOtherwise && (
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => change(write(draft, place, [...arms, { otherwise: [] }]))}
            >
              {words.addOtherwise}
            </Button>
          )}
        </Group>
      )}
    </Stack>
  );
}

/** The arms of a split with their shares, which add up to 100 percent. */
export function SplitForm({ place }: { place: Place }) {
  const words = useWords(campaignEditor);
  const { draft, checked, mayEdit, change } = useEditing();
  const number = useNumber();
  const arms = readList(draft, place) as readonly Draft[];
  const sum = arms.reduce((all, arm) => all + Number(arm?.share ?? 0), 0);
  const add = () =>
    change(write(draft, place, [...arms, { name: freeName(arms), share: Math.max(0, 100 - sum), steps: [] }]));
  const even = () => change(write(draft, place, withEvenShares(arms)));
  const error = errorAt(checked, place);
  return (
    <Stack gap="sm">
      {arms.map((arm, at) => (
        <ArmCard key={[...place, at].join('/')} place={place} at={at} title={`${words.arm} ${readText(arm, ['name'])}`}>
          <Group align="flex-start" grow>
            <ArmName place={[...place, at]} />
            <Share place={[...place, at]} />
          </Group>
          <Switch place={[...place, at, 'control']} label={words.control} />
        </ArmCard>
      ))}
      {(Math.abs(sum - 100) > 1e-9 || error !== undefined) && (
        <Alert color="yellow">
          <Text size="sm">{Math.abs(sum - 100) > 1e-9 ? words.sharesMake(number(sum)) : error}</Text>
        </Alert>
      )}
      {mayEdit && (
        <Group>
          <Button size="compact-sm" variant="default" onClick={add}>
            {words.addArm}
          </Button>
          <Button size="compact-sm" variant="default" onClick={even}>
            {words.evenOut}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Returns the first free letter: 'a', 'b', ... */
function freeName(arms: readonly Draft[]): string {
  const names = arms.map(({ name }) => name);
  return [...'abcdefghijklmnopqrstuvwxyz'].find((letter) => !names.includes(letter)) ?? `arm ${arms.length + 1}`;
}

/**
 * Gives the arms even shares in whole percentages. Control arms keep their shares, and the first of the other arms gets
 * the remainder.
 */
function withEvenShares(arms: readonly Draft[]): Draft[] {
  const others = arms.filter(({ control }) => control !== true);
  const left = 100 - arms.reduce((all, { control, share }) => all + (control === true ? Number(share ?? 0) : 0), 0);
  const each = Math.floor(left / Math.max(1, others.length));
  return arms.map((arm) => {
    if (arm.control === true) return arm;
    return { ...arm, share: arm === others[0] ? left - each * (others.length - 1) : each };
  });
}

function ArmName({ place }: { place: Place }) {
  const words = useWords(campaignEditor);
  const { draft, checked, mayEdit, change } = useEditing();
  return (
    <TextInput
      label={words.arm}
      value={readText(draft, [...place, 'name'])}
      error={errorAt(checked, [...place, 'name'])}
      disabled={!mayEdit}
      onChange={({ currentTarget }) =>
        change(write(draft, [...place, 'name'], currentTarget.value), [...place, 'name'])
      }
    />
  );
}

function Share({ place }: { place: Place }) {
  const words = useWords(campaignEditor);
  const { draft, mayEdit, change } = useEditing();
  return (
    <NumberInput
      label={words.share}
      min={0}
      max={100}
      value={Number(read(draft, [...place, 'share']) ?? 0)}
      disabled={!mayEdit}
      onChange={(share) => change(write(draft, [...place, 'share'], Number(share)), [...place, 'share'])}
    />
  );
}

interface ArmCardProps {
  /** Path of the list of arms. */
  place: Place;
  at: number;
  title: string;
  children: React.ReactNode;
}

function ArmCard({ place, at, title, children }: ArmCardProps) {
  const words = useWords(campaignEditor);
  const { draft, mayEdit, change } = useEditing();
  const arms = readList(draft, place);
  const swap = (by: 1 | -1) => {
    const [one, other] = [arms[at], arms[at + by]];
    change(write(draft, place, arms.with(at, other).with(at + by, one)));
  };
  const button = (name: string, icon: React.ReactNode, isOff: boolean, act: () => void) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={`${name}: ${title}`}
      title={name}
      disabled={isOff}
      onClick={act}
    >
      {icon}
    </ActionIcon>
  );
  return (
    <Card withBorder padding="sm">
      <Stack gap="xs">
        <Group justify="space-between">
          <Text fw={600} size="sm">
            {title}
          </Text>
          {mayEdit && (
            <Group gap={2}>
              {button(words.armUp, <IconArrowUp size={16} />, at === 0, () => swap(-1))}
              {button(words.armDown, <IconArrowDown size={16} />, at === arms.length - 1, () => swap(1))}
              {button(words.removeArm, <IconTrash size={16} />, arms.length === 1, () =>
                change(write(draft, place, arms.toSpliced(at, 1))),
              )}
            </Group>
          )}
        </Group>
        {children}
      </Stack>
    </Card>
  );
}
