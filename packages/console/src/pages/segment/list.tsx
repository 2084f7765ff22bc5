import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { useText } from '../../text/text.tsx';
import type { Stored, useEdited } from '../../ui/edited.ts';
import { IfMay } from '../../ui/may.tsx';
import { Failed } from '../../ui/states.tsx';
import { ListInput } from '../list-input.tsx';
import { useUnknownIds } from '../unknown-ids.ts';
import { userIdsOf } from '../user-ids.ts';
import { IncludeProtected } from './include-protected.tsx';
import { DraftDifference, PublishSegment, useDraftDifference } from './publish.tsx';
import { savingRule } from './rule.tsx';

interface SegmentListProps {
  brand: string;
  code: string;
  /** The new list while the user types it, and the revision of the segment when the user began. The page of the segment keeps it. */
  typed: Stored;
  onType(typed: Stored): void;
  includesProtected: ReturnType<typeof useEdited<string>>;
  draft: { version: number } | null;
  /** Publishing is refused if another person has changed the segment since this revision. */
  revision: string;
}

/** Shows a fixed list of players. A new list, or the list of a frozen segment, is a draft until it is published. */
export function SegmentList({ brand, code, typed, onType, includesProtected, draft, revision }: SegmentListProps) {
  const { segments: words } = useText();
  const queries = useQueryClient();
  const showUnknownIds = useUnknownIds();
  const isTyped = typed.content !== '';
  const isChanged = isTyped || includesProtected.isChanged;
  const isOvertaken = isTyped && typed.revision !== revision;
  const userIds = userIdsOf(typed.content);
  const difference = useDraftDifference(brand, code, draft === null || isChanged ? undefined : revision);
  const save = useMutation({
    mutationKey: savingRule(brand, code),
    mutationFn: (include_protected: string) =>
      bodyOf(
        api.PUT('/api/console/v1/brands/{brand}/segments/{code}', {
          params: {
            path: { brand, code },
            query: { revision: isTyped ? typed.revision : includesProtected.revision },
          },
          body: { ...(isTyped && { user_ids: userIds }), include_protected: include_protected === 'true' },
        }),
      ),
    onSuccess: (saved, include_protected) => {
      showUnknownIds(saved.list);
      onType({ content: '', revision: saved.revision });
      includesProtected.keep(include_protected, saved.revision);
      return queries.invalidateQueries({ queryKey: [brand, 'segment', code] });
    },
  });
  const choose = (to: Stored) => {
    save.reset();
    onType(to);
  };
  return (
    <Stack align="flex-start">
      <Text>{words.isList}</Text>
      <IfMay permission="segment.manage">
        <Group align="flex-start">
          <Button
            variant="default"
            disabled={!isChanged || isOvertaken || (isTyped && userIds.length === 0)}
            loading={save.isPending}
            onClick={() => save.mutate(includesProtected.content)}
          >
            {words.saveDraft}
          </Button>
          <PublishSegment {...{ brand, code, revision, difference }} isDisabled={draft === null || isChanged} />
        </Group>
      </IfMay>
      {isOvertaken && (
        <Alert color="yellow" role="alert" title={words.listOvertaken}>
          <Stack align="flex-start" gap="xs">
            <Text size="sm">{words.listOvertakenHint}</Text>
            <Group gap="xs">
              <Button size="xs" variant="light" onClick={() => choose({ content: typed.content, revision })}>
                {words.keepOwnList}
              </Button>
              <Button size="xs" variant="default" onClick={() => choose({ content: '', revision })}>
                {words.discardList}
              </Button>
            </Group>
          </Stack>
        </Alert>
      )}
      {save.error && <Failed error={save.error} />}
      {draft !== null && !isChanged && <DraftDifference {...{ brand, code, revision, difference }} />}
      <IncludeProtected edited={includesProtected} />
      <IfMay permission="segment.manage">
        <Stack gap="xs" w="100%">
          <Title order={3} size="h5">
            {words.newList}
          </Title>
          <Text size="sm" c="dimmed">
            {words.newListAbout}
          </Text>
          <ListInput
            text={typed.content}
            onChange={(text) => onType({ content: text, revision: isTyped ? typed.revision : revision })}
          />
        </Stack>
      </IfMay>
    </Stack>
  );
}
