import { Alert, Button, Card, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../../api/client.ts';
import { campaignVersionsQuery } from '../../../api/queries.ts';
import { campaignPage } from '../../../text/campaign-page.ts';
import { useWords } from '../../../text/text.tsx';
import { useAct } from '../../../ui/act.tsx';
import type { Stored } from '../../../ui/edited.ts';
import { isSameJson } from '../../../ui/same-json.ts';
import { Failed, Loading } from '../../../ui/states.tsx';
import { useUndo } from '../../../ui/undo.tsx';
import { Moment, State, useNumber } from '../../../ui/values.tsx';
import { DecideDraft, type WaitingDraft } from '../../rewards/decide-draft.tsx';
import { RejectDialog } from '../../rewards/reject-dialog.tsx';
import { useEditing } from '../draft/editing.ts';
import type { Draft } from '../draft/edits.ts';
import { DifferenceList } from './difference-list.tsx';

interface VersionsProps {
  code: string;
  /** The newest version. Its approval and its replacement are refused if another person has changed it since. */
  stored: Stored<Draft>;
  /** Whether the draft on the page has unsaved changes. */
  isChanged: boolean;
  /** Shows a document that replaced the draft. */
  onRestored(saved: Stored<Draft>): void;
  /** @returns a function that later shows the draft as it is now, with its unsaved changes */
  remember(): () => void;
}

/** Every version of a campaign, newest first, each with its changes. */
export default function Versions({ code, stored, isChanged, onRestored, remember }: VersionsProps) {
  const words = useWords(campaignPage);
  const number = useNumber();
  const { brand, draft, mayEdit } = useEditing();
  const params = { path: { brand, code } };
  const touches = [brand, 'campaign', code];
  const { revision } = stored;
  const [rejected, setRejected] = useState<WaitingDraft>();
  const versions = useQuery(campaignVersionsQuery(brand, code));
  const offerUndo = useUndo();
  const save = async (content: Draft, replaced: string): Promise<Stored<Draft>> => {
    const saved = await bodyOf(
      api.PUT('/api/console/v1/brands/{brand}/campaigns/{code}', {
        params: { ...params, query: { revision: replaced } },
        body: content,
      }),
    );
    return { content, revision: saved.revision };
  };
  const bringBack = useAct(({ content, replaced }: { content: Draft; replaced: string }) => save(content, replaced), {
    touches,
  });
  const restore = useAct((document: Draft) => save(document, revision), {
    touches,
    onDone: (saved) => {
      const showAgain = remember();
      onRestored(saved);
      // Undo saves the draft that was replaced, and shows the unsaved changes again.
      offerUndo(words.restored, async () => {
        await bringBack.mutateAsync({ content: stored.content, replaced: saved.revision });
        showAgain();
      });
    },
  });
  if (versions.isPending) return <Loading />;
  if (versions.isLoadingError) return <Failed error={versions.error} onRetry={() => versions.refetch()} />;
  const { items } = versions.data;
  return (
    <Stack>
      {isChanged && items[0] !== undefined && (
        <Card withBorder>
          <Text fw={600}>{words.unsavedCompare}</Text>
          <Text size="sm" c="dimmed" mb="xs">
            {words.changedSince(items[0].version)}
          </Text>
          <DifferenceList before={items[0].document} after={draft} />
        </Card>
      )}
      {items.map((one, at) => {
        const former = items[at + 1];
        const { version, state, approval } = one;
        return (
          <Card withBorder key={version} component="section" aria-label={words.version(version)}>
            <Group justify="space-between" align="flex-start">
              <Group gap="sm">
                <Text fw={600}>{words.version(version)}</Text>
                <State of={state} />
                <Text size="sm" c="dimmed">
                  <Moment at={one.published_at ?? one.created_at} /> ·{' '}
                  {one.published_by === null ? words.writtenBy(one.created_by) : words.publishedBy(one.published_by)}
                  {one.approved_by !== null && `, ${words.approvedBy(one.approved_by)}`}
                </Text>
                {one.running > 0 && (
                  <Text size="sm" className="figure">
                    {words.inFlight(number(one.running))}
                  </Text>
                )}
                {one.moves_runs && (
                  <Text size="sm" c="dimmed">
                    {words.moves}
                  </Text>
                )}
              </Group>
              {mayEdit && state !== 'draft' && (at > 0 || isChanged) && (
                <Button
                  variant="light"
                  size="compact-sm"
                  loading={restore.isPending}
                  onClick={() => restore.mutate(one.document as unknown as Draft)}
                >
                  {words.restore}
                </Button>
              )}
            </Group>
            {approval !== null && (
              <Alert color="yellow" mt="sm" title={words.asked(approval.asked_by)}>
                <Stack gap="xs" align="flex-start">
                  {approval.reasons.map((reason) => (
                    <Text size="sm" key={reason}>
                      {reason}
                    </Text>
                  ))}
                  {/* The list is read separately, so for a moment it may show another draft than that of the revision. */}
                  {isSameJson(one.document, stored.content) && (
                    <DecideDraft
                      size="compact-sm"
                      of={{
                        code,
                        name: words.version(version),
                        revision,
                        created_by: one.created_by,
                        asked_by: approval.asked_by,
                      }}
                      onReject={setRejected}
                    />
                  )}
                </Stack>
              </Alert>
            )}
            <Text size="sm" c="dimmed" mt="sm" mb="xs">
              {former === undefined ? words.firstVersion : words.changedSince(former.version)}
            </Text>
            {former !== undefined && <DifferenceList before={former.document} after={one.document} />}
          </Card>
        );
      })}
      <RejectDialog draft={rejected} onClose={() => setRejected(undefined)} />
    </Stack>
  );
}
