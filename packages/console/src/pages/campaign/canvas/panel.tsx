import { ActionIcon, Card, Group, Stack, Title } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { campaignEditor } from '../../../text/campaign-editor.ts';
import { useWords } from '../../../text/text.tsx';
import { type Selection, useEditing } from '../draft/editing.ts';
import { findStep, kindIn, readList } from '../draft/edits.ts';
import { EntryForm } from '../forms/entry-form.tsx';
import { RulesForm } from '../forms/rules-form.tsx';
import { StepForm } from '../forms/step-form.tsx';
import { CountDetails } from '../steps/count-badges.tsx';
import { KindIcon } from '../steps/kind-icon.tsx';
import { StepButtons } from '../steps/step-buttons.tsx';

/** The panel in which the selected part is changed. */
export function Panel({ selected }: { selected: Selection }) {
  const words = useWords(campaignEditor);
  const { draft } = useEditing();
  if ('part' in selected)
    return (
      <Framed title={words.parts[selected.part]} canvasName={selected.part}>
        {selected.part === 'entry' ? <EntryForm /> : <RulesForm />}
      </Framed>
    );
  const place = findStep(draft, selected.step);
  if (place === undefined) return null;
  const kind = kindIn(readList(draft, place.list)[place.at]);
  return (
    <Framed
      title={kind === undefined ? '?' : words.kinds[kind]}
      icon={kind !== undefined && <KindIcon kind={kind} size={18} />}
      canvasName={`step ${selected.step}`}
      buttons={<StepButtons {...place} />}
    >
      <CountDetails step={selected.step} />
      <StepForm key={selected.step} {...place} />
    </Framed>
  );
}

interface FramedProps {
  title: string;
  icon?: ReactNode;
  /** Name of the box on the canvas, to which Escape returns. */
  canvasName: string;
  buttons?: ReactNode;
  children: ReactNode;
}

function Framed({ title, icon, canvasName, buttons, children }: FramedProps) {
  const words = useWords(campaignEditor);
  const { select } = useEditing();
  const box = () => document.querySelector<HTMLElement>(`[data-canvas="${CSS.escape(canvasName)}"]`);
  const leave = ({ key, defaultPrevented }: KeyboardEvent) => {
    if (key === 'Escape' && !defaultPrevented) box()?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape returns to the canvas
    <div onKeyDown={leave} className="canvas-panel">
      <Card withBorder component="section" aria-label={title} padding="md">
        <Stack>
          <Group justify="space-between" wrap="nowrap">
            <Group gap="xs" wrap="nowrap">
              {icon}
              <Title order={3} size="h4" tabIndex={-1}>
                {title}
              </Title>
            </Group>
            <Group gap={2} wrap="nowrap">
              {buttons}
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={words.close}
                title={words.close}
                onClick={() => {
                  box()?.focus();
                  select(undefined);
                }}
              >
                <IconX size={16} />
              </ActionIcon>
            </Group>
          </Group>
          {children}
        </Stack>
      </Card>
    </div>
  );
}
