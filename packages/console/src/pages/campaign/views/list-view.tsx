import { Card, Group, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { campaignEditor } from '../../../text/campaign-editor.ts';
import { useWords } from '../../../text/text.tsx';
import { errorAt, sentenceAt, useEditing } from '../draft/editing.ts';
import { armsOf, kindIn, type Place, read, readList, readText, type StepPlace } from '../draft/edits.ts';
import { EntryForm } from '../forms/entry-form.tsx';
import { RulesForm } from '../forms/rules-form.tsx';
import { StepForm } from '../forms/step-form.tsx';
import { CountBadges } from '../steps/count-badges.tsx';
import { InsertStep } from '../steps/insert-step.tsx';
import { KindIcon } from '../steps/kind-icon.tsx';
import { StepButtons } from '../steps/step-buttons.tsx';
import { summaryOf, useSaying } from '../steps/use-summary.ts';
import { armName } from './arm-name.ts';

/** The campaign from top to bottom: entry, rules, and steps. Each step opens in place. */
export function ListView() {
  const words = useWords(campaignEditor);
  return (
    <Stack maw={1000}>
      <Card withBorder component="section" aria-label={words.parts.entry}>
        <Title order={3} size="h4" mb="sm">
          {words.parts.entry}
        </Title>
        <EntryForm />
      </Card>
      <Card withBorder component="section" aria-label={words.parts.rules}>
        <Title order={3} size="h4" mb="sm">
          {words.parts.rules}
        </Title>
        <RulesForm />
      </Card>
      <Title order={3} size="h4">
        {words.parts.steps}
      </Title>
      <StepList list={['steps']} />
    </Stack>
  );
}

/** A list of steps. The arms of a branch or split contain further lists. */
function StepList({ list, arm }: { list: Place; arm?: string }) {
  const words = useWords(campaignEditor);
  const { draft } = useEditing();
  const steps = readList(draft, list);
  const ids = steps.map((step) => readText(step, ['id']));
  const first = arm === undefined ? words.insertFirst : words.insertIn(arm);
  return (
    <Stack gap="xs">
      {steps.length === 0 && arm === undefined && (
        <Text size="sm" c="dimmed">
          {words.noSteps}
        </Text>
      )}
      <Group>
        <InsertStep
          list={list}
          at={0}
          label={ids[0] === undefined ? first : words.insertBefore(ids[0])}
          isWide={steps.length === 0}
        />
      </Group>
      {steps.map((_, at) => (
        <Stack gap="xs" key={ids[at] || at}>
          <StepCard list={list} at={at} />
          <Group>
            <InsertStep
              list={list}
              at={at + 1}
              label={words.insertAfter(ids[at] ?? '')}
              isWide={at === steps.length - 1}
            />
          </Group>
        </Stack>
      ))}
    </Stack>
  );
}

function StepCard({ list, at }: StepPlace) {
  const words = useWords(campaignEditor);
  const { draft, checked, selected, select } = useEditing();
  const place = [...list, at];
  const step = read(draft, place);
  const saying = useSaying(step);
  const kind = kindIn(step);
  const id = readText(step, ['id']);
  const isOpen = selected !== undefined && 'step' in selected && selected.step === id;
  const error = errorAt(checked, place);
  return (
    <Card withBorder padding="sm" className={isOpen ? 'step-card open' : 'step-card'}>
      <Group justify="space-between" wrap="nowrap">
        <UnstyledButton
          aria-expanded={isOpen}
          onClick={() => select(isOpen ? undefined : { step: id })}
          style={{ flex: 1 }}
        >
          <Group gap="xs" wrap="nowrap">
            {isOpen ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
            {kind !== undefined && <KindIcon kind={kind} />}
            <Text fw={600} size="sm">
              {kind === undefined ? '?' : words.kinds[kind]}
            </Text>
            <Text size="sm">{summaryOf(step, saying)}</Text>
            <Text size="xs" c="dimmed">
              {id}
            </Text>
          </Group>
        </UnstyledButton>
        <CountBadges step={id} />
        <StepButtons list={list} at={at} />
      </Group>
      {error !== undefined && !isOpen && (
        <Group gap={6} mt={4} wrap="nowrap">
          <IconAlertTriangle size={16} aria-hidden />
          <Text size="sm" className="rule-problem">
            {error}
          </Text>
        </Group>
      )}
      {isOpen && (
        <div className="step-form">
          <StepForm list={list} at={at} />
        </div>
      )}
      <Arms place={place} />
    </Card>
  );
}

function Arms({ place }: { place: Place }) {
  const words = useWords(campaignEditor);
  const { draft, checked } = useEditing();
  const arms = armsOf(read(draft, place), place);
  if (arms.length === 0) return null;
  return (
    <Stack gap="sm" mt="sm">
      {arms.map(({ arm, list }, at) => {
        const name = armName(arm, at, words);
        const sentence = sentenceAt(checked, [...list.slice(0, -1), 'when']);
        return (
          <div key={list.join('/')} className="step-arm">
            <Group gap="xs" mb={4}>
              <Text size="sm" fw={600}>
                {name}
              </Text>
              <Text size="sm" c="dimmed">
                {sentence}
                {arm.share !== undefined && `${arm.share} %`}
                {arm.control === true && `, ${words.control}`}
              </Text>
            </Group>
            {arm.control !== true && <StepList list={list} arm={name} />}
          </div>
        );
      })}
    </Stack>
  );
}
