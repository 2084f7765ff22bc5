import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconArrowsMove } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { campaignEditor } from '../../text/campaign-editor.ts';
import { useWords } from '../../text/text.tsx';
import { useFilters } from '../../ui/filters.tsx';
import { Loading } from '../../ui/states.tsx';
import { useEditing } from './draft/editing.ts';
import type { useDraft } from './draft/use-draft.ts';
import { EditorBar, type EditorView, editorViews } from './editor-bar.tsx';
import { Publish } from './publish.tsx';
import { DocumentView } from './views/document-view.tsx';
import { ListView } from './views/list-view.tsx';

const CanvasView = lazy(() => import('./canvas/canvas-view.tsx'));

interface EditorProps {
  code: string;
  draft: ReturnType<typeof useDraft>;
  /** Whether the platform has a draft of it. */
  hasDraft: boolean;
  /** The document of the version in force, if there is one. */
  inForce: unknown;
}

/** A campaign in three views of equal power: what is changed in one is in the others. */
export function Editor({ code, draft, hasDraft, inForce }: EditorProps) {
  const words = useWords(campaignEditor);
  const { mayEdit, moving, setMoving } = useEditing();
  const { filters, change: setAddress } = useFilters();
  const view: EditorView = editorViews.find((one) => one === filters.view) ?? 'canvas';
  const obstacle = draft.isChanged ? words.saveFirst : draft.checked.errors.length > 0 ? words.wrong : undefined;
  return (
    <Stack>
      <EditorBar draft={draft} view={view} onView={(to) => setAddress('view', to === 'canvas' ? null : to)}>
        {mayEdit && (hasDraft || draft.isChanged) && <Publish code={code} obstacle={obstacle} inForce={inForce} />}
      </EditorBar>
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
      {view === 'canvas' && (
        <Suspense fallback={<Loading />}>
          <CanvasView />
        </Suspense>
      )}
      {view === 'list' && <ListView />}
      {view === 'document' && <DocumentView />}
    </Stack>
  );
}
