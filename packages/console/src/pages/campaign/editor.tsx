import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconArrowsMove } from '@tabler/icons-react';
import { campaignEditor } from '../../text/campaign-editor.ts';
import { useWords } from '../../text/text.tsx';
import { useFilters } from '../../ui/filters.tsx';
import { Overtaken } from '../../ui/overtaken.tsx';
import { lazyPart } from '../../ui/parts/lazy-part.tsx';
import { useEditing } from './draft/editing.ts';
import type { useDraft } from './draft/use-draft.ts';
import { EditorBar, type EditorView, editorViews } from './editor-bar.tsx';
import { Publish } from './publish.tsx';
import { DocumentView } from './views/document-view.tsx';
import { ListView } from './views/list-view.tsx';

const CanvasView = lazyPart(() => import('./canvas/canvas-view.tsx'));

interface EditorProps {
  code: string;
  draft: ReturnType<typeof useDraft>;
  /** Whether the platform has stored a draft. */
  hasDraft: boolean;
  /** The document of the current version, if there is one. */
  inForce: unknown;
}

/** Edits a campaign in three equivalent views: a change in one view is visible in the others. */
export function Editor({ code, draft, hasDraft, inForce }: EditorProps) {
  const words = useWords(campaignEditor);
  const { mayEdit, moving, setMoving } = useEditing();
  const { filters, change: setAddress } = useFilters();
  const view: EditorView = editorViews.find((one) => one === filters.view) ?? 'canvas';
  const obstacle = draft.isChanged ? words.saveFirst : draft.checked.errors.length > 0 ? words.wrong : undefined;
  return (
    <Stack>
      <EditorBar draft={draft} view={view} onView={(to) => setAddress('view', to === 'canvas' ? null : to)}>
        {mayEdit && (hasDraft || draft.isChanged) && (
          // If another person changes the draft, the open dialog closes, because the user has not seen the new draft.
          <Publish key={draft.revision} code={code} revision={draft.revision} obstacle={obstacle} inForce={inForce} />
        )}
      </EditorBar>
      <Overtaken edited={draft} />
      {draft.invalidText !== undefined && view !== 'document' && (
        <Alert color="yellow" role="status">
          <Stack align="flex-start" gap="xs">
            <Text size="sm">{words.notJsonYet}</Text>
            <Button size="xs" variant="light" onClick={() => setAddress('view', 'document')}>
              {words.toDocument}
            </Button>
          </Stack>
        </Alert>
      )}
      {moving !== undefined && (
        <Alert color="teal" icon={<IconArrowsMove size={18} />} role="status" p="xs">
          <Group justify="space-between">
            <Text size="sm">{words.moving(moving)}</Text>
            <Button size="compact-sm" variant="default" onClick={() => setMoving(undefined)}>
              {words.stopMoving}
            </Button>
          </Group>
        </Alert>
      )}
      {view === 'canvas' && <CanvasView />}
      {view === 'list' && <ListView />}
      {view === 'document' && <DocumentView />}
    </Stack>
  );
}
