import { Group, Input, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { campaignEditor } from '../../../text/campaign-editor.ts';
import { useWords } from '../../../text/text.tsx';
import { useEditing } from '../draft/editing.ts';
import { read } from '../draft/edits.ts';
import { EventFields } from './event-fields.tsx';
import { ChoiceField, DurationField, NumberField, TextField } from './fields.tsx';
import { ProductsField } from './products-field.tsx';
import { ProposedLimit } from './proposed-limit.tsx';
import { RuleField } from './rule-field.tsx';
import { Presence } from './switch.tsx';

/** Rules of the whole campaign: its purpose, what ends a run early, and what halts the campaign. */
export function RulesForm() {
  const words = useWords(campaignEditor);
  const { draft } = useEditing();
  const hasGoal = draft.goal !== undefined;
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextField place={['name']} label={words.name} isRequired />
        <ChoiceField
          place={['purpose']}
          label={words.purpose}
          description={words.purposeHint}
          usual="marketing"
          data={Object.entries(words.purposes).map(([value, label]) => ({ value, label }))}
        />
        <NumberField
          place={['priority']}
          label={words.priority}
          description={words.priorityHint}
          usual={50}
          max={100}
          isWhole
        />
        <ProductsField place={['products']} description={words.productsHint} />
      </SimpleGrid>
      <Stack gap="sm">
        <Input.Wrapper label={words.goal} description={words.goalHint} labelElement="div">
          <Presence place={['goal']} label={words.hasGoal} first={{ event: 'payment', within: 'P7D' }} />
        </Input.Wrapper>
        {hasGoal && (
          <>
            <EventFields place={['goal']} />
            <Presence place={['goal', 'within']} label={words.goalWithin} first="P7D" />
            {read(draft, ['goal', 'within']) !== undefined && (
              <DurationField place={['goal', 'within']} label={words.within} units="MHDW" />
            )}
          </>
        )}
      </Stack>
      <RuleField
        place={['exit_when']}
        label={words.exit}
        description={words.exitHint}
        none={words.noExit}
        add={words.addRule}
      />
      <Group gap={6} wrap="nowrap">
        <IconLock size={16} aria-hidden style={{ flexShrink: 0 }} />
        <Text size="sm" c="dimmed">
          {words.locked}
        </Text>
      </Group>
      <HaltFields />
    </Stack>
  );
}

function HaltFields() {
  const words = useWords(campaignEditor);
  const { draft } = useEditing();
  return (
    <Stack gap="sm">
      <Input.Wrapper label={words.halt} labelElement="div">
        <Presence place={['halt']} label={words.hasHalt} first={{ failed: 10 }} />
      </Input.Wrapper>
      {draft.halt !== undefined && (
        <>
          <Text size="sm" c="dimmed">
            {words.haltHint}
          </Text>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {Object.entries(words.bounds).map(([name, label]) => (
              <NumberField
                key={name}
                place={['halt', name]}
                label={label}
                isWhole={name === 'after' || name === 'entered_per_day'}
              />
            ))}
          </SimpleGrid>
          <ProposedLimit />
        </>
      )}
    </Stack>
  );
}
