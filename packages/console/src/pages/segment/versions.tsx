import { Button, Card, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { useText } from '../../text/text.tsx';
import { Sure, useAct } from '../../ui/act.tsx';
import { LineDifference } from '../../ui/line-difference-view.tsx';
import { IfMay } from '../../ui/may.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { useUndo } from '../../ui/undo.tsx';
import { Moment, State } from '../../ui/values.tsx';
import { RuleSentence } from '../rule/rule-sentence.tsx';
import { writeRule } from '../rule/rule-text.ts';

/** What the draft becomes: a copy of an earlier version, or a rule. */
type DraftContent = { version: number } | { rule: unknown; include_protected: boolean };

interface SegmentVersionsProps {
  brand: string;
  code: string;
  /** Restoring a version is refused if another person has changed the segment since this revision. */
  revision: string;
  draft: { version: number; rule: unknown; include_protected: boolean } | null;
  /** Whether the tab of the rule has unsaved changes, which a restored version would replace. */
  isChanged: boolean;
}

/** Shows every version of a segment, with its sentence and its difference from the previous version. */
export function SegmentVersions({ brand, code, revision, draft, isChanged }: SegmentVersionsProps) {
  const { segments: words, common } = useText();
  const params = { path: { brand, code } };
  const offerUndo = useUndo();
  const save = useAct(
    ({ at, body }: { at: string; body: DraftContent }) =>
      bodyOf(
        api.PUT('/api/console/v1/brands/{brand}/segments/{code}', {
          params: { ...params, query: { revision: at } },
          body,
        }),
      ),
    { touches: [brand, 'segment', code] },
  );
  /** Undo saves the former draft. It is not offered if there was none, or if it was a list, which was replaced. */
  const restore = (version: number) =>
    save.mutate(
      { at: revision, body: { version } },
      {
        onSuccess: (restored) => {
          if (draft === null || draft.rule === null) {
            notifications.show({ message: words.restored(version), color: 'green' });
            return;
          }
          const { rule, include_protected } = draft;
          const undo = { at: restored.revision, body: { rule, include_protected } };
          offerUndo(words.restored(version), () => save.mutateAsync(undo));
        },
      },
    );
  const versions = useQuery({
    queryKey: [brand, 'segment', code, 'versions'],
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/segments/{code}/versions', { params })),
  });
  if (versions.isPending) return <Loading />;
  if (versions.isLoadingError) return <Failed error={versions.error} onRetry={() => versions.refetch()} />;
  const { items } = versions.data;
  return (
    <Stack>
      {items.map((version, index) => {
        const former = items[index + 1];
        // The latest version is the draft, or what a new draft would begin with.
        const canRestore = index > 0 && version.state !== 'draft' && isStored(version);
        return (
          <Card withBorder key={version.version}>
            <Group justify="space-between" align="flex-start">
              <Group>
                <Text fw={600}>
                  {common.version} {version.version}
                </Text>
                <State of={version.state} />
                <Text size="sm" c="dimmed">
                  <Moment at={version.published_at ?? version.created_at} /> · {version.created_by}
                </Text>
              </Group>
              {canRestore && (
                <IfMay permission="segment.manage">
                  <Restore
                    version={version.version}
                    isBusy={save.isPending}
                    isBlocked={isChanged}
                    replacedList={draft !== null && draft.rule === null ? draft.version : undefined}
                    onRestore={() => restore(version.version)}
                  />
                </IfMay>
              )}
            </Group>
            <Text mt="xs">
              <RuleSentence rule={version.rule} english={version.sentence} />
            </Text>
            {version.reason !== null && (
              <Text size="sm" c="red">
                {version.reason}
              </Text>
            )}
            {version.include_protected && (
              <Text size="sm" c="dimmed">
                {words.includeProtectedVersion}
              </Text>
            )}
            {version.starts_campaigns && version.state !== 'draft' && (
              <Text size="sm" c="dimmed">
                {words.startsCampaignsVersion}
              </Text>
            )}
            {former && former.sentence !== version.sentence && (
              <Text size="sm" c="dimmed">
                {words.formerly}: <RuleSentence rule={former.rule} english={former.sentence} />
              </Text>
            )}
            {former && version.rule !== null && former.rule !== null && (
              <RuleDifference former={writeRule(former.rule)} latter={writeRule(version.rule)} />
            )}
          </Card>
        );
      })}
    </Stack>
  );
}

/** The list of a version that was in force is deleted when another version replaces it. */
const isStored = ({ kind, state, computed_at }: { kind: string; state: string; computed_at: string | null }) =>
  kind === 'rule' || state !== 'past' || computed_at === null;

interface RestoreProps {
  version: number;
  isBusy: boolean;
  /** Whether unsaved changes have to be saved first. */
  isBlocked: boolean;
  /** The draft, if it is a list. Its list is lost, so the user has to confirm. */
  replacedList: number | undefined;
  onRestore(): void;
}

function Restore({ version, isBusy, isBlocked, replacedList, onRestore }: RestoreProps) {
  const { segments: words, common } = useText();
  const about = `${words.restore}: ${common.version} ${version}`;
  const button = { size: 'compact-sm', variant: 'light', disabled: isBlocked, loading: isBusy } as const;
  if (replacedList === undefined || isBlocked)
    return (
      <Button {...button} title={isBlocked ? words.restoreSaveFirst : undefined} aria-label={about} onClick={onRestore}>
        {words.restore}
      </Button>
    );
  const text = words.restoreReplacesList(replacedList);
  return <Sure {...button} label={words.restore} about={about} text={text} onSure={onRestore} />;
}

function RuleDifference({ former, latter }: { former: string; latter: string }) {
  const { segments: words } = useText();
  if (former === latter)
    return (
      <Text size="sm" c="dimmed">
        {words.sameRule}
      </Text>
    );
  return <LineDifference summary={words.ruleDifference} former={former} latter={latter} />;
}
