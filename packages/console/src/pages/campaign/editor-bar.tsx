import {
  ActionIcon,
  Button,
  Group,
  Popover,
  SegmentedControl,
  Stack,
  Text,
  Tooltip,
  UnstyledButton,
} from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { campaignEditor } from '../../text/campaign-editor.ts';
import { useWords } from '../../text/text.tsx';
import { State } from '../../ui/values.tsx';
import { useEditing } from './draft/editing.ts';
import { selectionOf } from './draft/selection-of.ts';
import type { useDraft } from './draft/use-draft.ts';

export const editorViews = ['canvas', 'list', 'document'] as const;
export type EditorView = (typeof editorViews)[number];

interface EditorBarProps {
  draft: ReturnType<typeof useDraft>;
  view: EditorView;
  onView(view: EditorView): void;
  /** The publish button, if there is something to publish. */
  children: React.ReactNode;
}

/** The bar above every view of a draft: choice of view, undo, errors, saving and publishing. */
export function EditorBar({ draft, view, onView, children }: EditorBarProps) {
  const words = useWords(campaignEditor);
  const { mayEdit } = useEditing();
  const canSave = mayEdit && draft.isChanged && !draft.isOvertaken && draft.invalidText === undefined;
  useHotkeys([
    ['mod+z', draft.undo],
    ['mod+shift+z', draft.redo],
    ['mod+s', () => canSave && draft.save()],
  ]);
  return (
    <Group justify="space-between">
      <Group gap="sm">
        <SegmentedControl
          aria-label={words.views}
          value={view}
          onChange={(chosen) => onView(chosen as EditorView)}
          data={editorViews.map((value) => ({ value, label: words.view[value] }))}
        />
        {mayEdit && (
          <Group gap={4}>
            <Tooltip label={`${words.undo} (Ctrl Z)`}>
              <ActionIcon
                size="lg"
                variant="default"
                aria-label={words.undo}
                disabled={!draft.canUndo}
                onClick={draft.undo}
              >
                <IconArrowBackUp size={18} />
              </ActionIcon>
            </Tooltip>
            <Tooltip label={`${words.redo} (Ctrl Shift Z)`}>
              <ActionIcon
                size="lg"
                variant="default"
                aria-label={words.redo}
                disabled={!draft.canRedo}
                onClick={draft.redo}
              >
                <IconArrowForwardUp size={18} />
              </ActionIcon>
            </Tooltip>
          </Group>
        )}
        <Mistakes isOld={draft.isCheckOld} />
      </Group>
      <Group gap="sm">
        {draft.isChanged && (
          <Text size="sm" role="status">
            {words.unsaved}
          </Text>
        )}
        {!mayEdit && (
          <Text size="sm" c="dimmed">
            {words.readOnly}
          </Text>
        )}
        {mayEdit && (
          <Button variant="default" disabled={!canSave} loading={draft.isSaving} onClick={draft.save}>
            {words.save}
          </Button>
        )}
        {children}
      </Group>
    </Group>
  );
}

/** The number of errors, with a link to each. */
function Mistakes({ isOld }: { isOld: boolean }) {
  const words = useWords(campaignEditor);
  const { draft, checked, select } = useEditing();
  const { errors } = checked;
  if (errors.length === 0)
    return (
      <div aria-live="polite" aria-busy={isOld}>
        <State of={isOld ? 'computing' : 'allowed'} label={words.noProblems} />
      </div>
    );
  return (
    <Popover position="bottom-start" width={420} withinPortal>
      <Popover.Target>
        <Button variant="light" color="red" size="compact-md" aria-busy={isOld}>
          {words.problems(errors.length)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs" aria-label={words.mistakesAt}>
          {errors.map(({ path, message }) => (
            <UnstyledButton key={`${path} ${message}`} onClick={() => select(selectionOf(draft, path))}>
              <Text size="sm">{message}</Text>
              <Text size="xs" c="dimmed" className="timeline-line">
                {path || '/'}
              </Text>
            </UnstyledButton>
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
