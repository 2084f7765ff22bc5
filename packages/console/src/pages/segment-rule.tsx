import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../api/client.ts';
import { useText } from '../text/text.tsx';
import { IfMay } from '../ui/may.tsx';
import { Failed } from '../ui/states.tsx';
import { RuleEditor } from './rule/rule-editor.tsx';
import { readRule, writeRule } from './rule/rule-text.ts';
import { DraftDifference, PublishSegment, useDraftDifference } from './segment-publish.tsx';

/** Shows a fixed list of players. The list of a frozen segment is a draft until it is published. */
export function SegmentList({ brand, code, draft, revision }: Omit<SegmentRuleProps, 'rule'>) {
  const { segments: words } = useText();
  const difference = useDraftDifference(brand, code, draft?.version);
  return (
    <Stack align="flex-start">
      <Text>{words.isList}</Text>
      {draft !== null && (
        <>
          <DraftDifference {...{ brand, code, difference }} />
          <IfMay permission="segment.manage">
            <PublishSegment {...{ brand, code, revision, difference }} isDisabled={false} />
          </IfMay>
        </>
      )}
    </Stack>
  );
}

interface SegmentRuleProps {
  brand: string;
  code: string;
  /** The rule of the draft. If there is no draft, it is the rule of the current version. */
  rule: unknown;
  draft: { version: number } | null;
  /** Saving and publishing are refused if another person has changed the segment since this revision. */
  revision: string;
}

/** Edits the rule of a segment as a draft, compares it with the current version, and publishes it. */
export function SegmentRule({ brand, code, rule, draft, revision }: SegmentRuleProps) {
  const { segments: words } = useText();
  const written = writeRule(rule);
  const [text, setText] = useState(written);
  const [read, setRead] = useState(revision);
  const queries = useQueryClient();
  const params = { path: { brand, code } };
  const save = useMutation({
    mutationFn: () =>
      bodyOf(
        api.PUT('/api/console/v1/brands/{brand}/segments/{code}', {
          params: { ...params, query: { revision: read } },
          body: { rule: readRule(text).rule },
        }),
      ),
    onSuccess: (saved) => {
      setRead(saved.revision);
      return queries.invalidateQueries({ queryKey: [brand, 'segment', code] });
    },
  });
  const isChanged = text !== written;
  const difference = useDraftDifference(brand, code, isChanged ? undefined : draft?.version);
  return (
    <Stack>
      <IfMay permission="segment.manage">
        <Group align="flex-start">
          <Button
            variant="default"
            disabled={!isChanged || readRule(text).problem !== null}
            loading={save.isPending}
            onClick={() => save.mutate()}
          >
            {words.saveDraft}
          </Button>
          <PublishSegment {...{ brand, code, revision, difference }} isDisabled={draft === null || isChanged} />
        </Group>
      </IfMay>
      {save.error && <Failed error={save.error} />}
      {draft !== null && !isChanged && <DraftDifference {...{ brand, code, difference }} />}
      <RuleEditor brand={brand} text={text} onChange={setText} />
    </Stack>
  );
}
