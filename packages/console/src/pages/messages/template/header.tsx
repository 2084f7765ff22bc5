import { Anchor, Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { messages } from '../../../text/messages.ts';
import { places } from '../../../text/places.ts';
import { useWords } from '../../../text/text.tsx';
import { useMay } from '../../../ui/may.tsx';
import { useBrand } from '../../../ui/page.tsx';
import type { BrandShown, TemplateShown } from '../queries.ts';
import { TemplateMenu } from './menu.tsx';
import { TestSend } from './test-send.tsx';
import type { useDraft } from './use-draft.ts';

const iconSize = 18;

interface TemplateHeaderProps {
  template: TemplateShown;
  settings: BrandShown;
  work: ReturnType<typeof useDraft>;
  canSave: boolean;
  isSaving: boolean;
  save(): void;
  onRemove(template: TemplateShown): Promise<unknown>;
}

/** The name and version of a template, and its actions. */
export function TemplateHeader({ template, settings, work, canSave, isSaving, save, onRemove }: TemplateHeaderProps) {
  const brand = useBrand();
  const words = useWords(messages);
  const titles = useWords(places);
  const may = useMay()('template.manage');
  const { channel } = template;
  return (
    <Group justify="space-between" align="flex-start" className="workshop-head">
      <Stack gap={2} style={{ minWidth: 0, flex: 1 }}>
        <Anchor component={Link} to={`/${brand}/messages/templates`} size="sm">
          {titles.pages.templates}
        </Anchor>
        <Group gap="sm">
          <Title order={2} size="h3">
            {work.draft.name}
          </Title>
          <Badge variant="light" tt="none">
            {words.channels[channel]}
          </Badge>
          <Text size="sm" c="dimmed">
            {words.editor.about} {work.version}
          </Text>
          {work.isChanged && (
            <Text size="sm" role="status" fw={600}>
              {words.editor.unsaved}
            </Text>
          )}
        </Group>
      </Stack>
      <Group gap="xs">
        {!may && (
          <Text size="sm" c="dimmed">
            {words.editor.readOnly}
          </Text>
        )}
        {may && (
          <>
            <Button
              variant="default"
              leftSection={<IconArrowBackUp size={iconSize} aria-hidden />}
              disabled={!work.canUndo}
              onClick={work.undo}
            >
              {words.editor.undo}
            </Button>
            <Button
              variant="default"
              leftSection={<IconArrowForwardUp size={iconSize} aria-hidden />}
              disabled={!work.canRedo}
              onClick={work.redo}
            >
              {words.editor.redo}
            </Button>
          </>
        )}
        {channel !== 'block' && (
          <TestSend template={template} settings={settings} version={work.version} isChanged={work.isChanged} />
        )}
        {may && (
          <>
            <Button disabled={!canSave} loading={isSaving} onClick={save}>
              {words.editor.save}
            </Button>
            <TemplateMenu template={template} onRemove={onRemove} />
          </>
        )}
      </Group>
    </Group>
  );
}
