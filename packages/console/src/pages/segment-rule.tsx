import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../api/client.ts';
import { useText } from '../text/text.tsx';
import { useAct } from '../ui/act.tsx';
import { IfMay } from '../ui/may.tsx';
import { Failed } from '../ui/states.tsx';
import { useNumber } from '../ui/values.tsx';
import { RuleEditor } from './rule/rule-editor.tsx';
import { readRule, writeRule } from './rule/rule-text.ts';

/** A fixed list of players. The list of a frozen segment is a draft until it is published. */
export function SegmentList({ brand, code, draft, revision }: Omit<SegmentRuleProps, 'rule'>) {
  const { segments: words } = useText();
  const publish = useAct(
    () =>
      api.POST('/api/console/v1/brands/{brand}/segments/{code}/publish', {
        params: { path: { brand, code }, query: { revision } },
      }),
    { touches: [brand, 'segment', code] },
  );
  return (
    <Stack align="flex-start">
      <Text>{words.isList}</Text>
      {draft !== null && (
        <>
          <DraftDifference brand={brand} code={code} version={draft.version} />
          <IfMay permission="segment.manage">
            <Button loading={publish.isPending} onClick={() => publish.mutate()}>
              {words.publish}
            </Button>
          </IfMay>
        </>
      )}
    </Stack>
  );
}

interface SegmentRuleProps {
  brand: string;
  code: string;
  /** The rule of the draft, or else of the current version. */
  rule: unknown;
  draft: { version: number } | null;
  /** If another person has changed the segment since, saving and publishing are refused. */
  revision: string;
}

/** The rule of a segment: edited as a draft, compared with the current version, and published. */
export function SegmentRule({ brand, code, rule, draft, revision }: SegmentRuleProps) {
  const { segments: words } = useText();
  const written = writeRule(rule);
  const [text, setText] = useState(written);
  const [read, setRead] = useState(revision);
  const queries = useQueryClient();
  const params = { path: { brand, code } };
  const onSuccess = () => queries.invalidateQueries({ queryKey: [brand, 'segment', code] });
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
      return onSuccess();
    },
  });
  const publish = useMutation({
    mutationFn: () =>
      api.POST('/api/console/v1/brands/{brand}/segments/{code}/publish', {
        params: { ...params, query: { revision } },
      }),
    onSuccess,
  });
  const isChanged = text !== written;
  const failed = save.error ?? publish.error;
  return (
    <Stack>
      <IfMay permission="segment.manage">
        <Group>
          <Button
            variant="default"
            disabled={!isChanged || readRule(text).problem !== null}
            loading={save.isPending}
            onClick={() => save.mutate()}
          >
            {words.saveDraft}
          </Button>
          <Button disabled={draft === null || isChanged} loading={publish.isPending} onClick={() => publish.mutate()}>
            {words.publish}
          </Button>
        </Group>
      </IfMay>
      {failed && <Failed error={failed} />}
      {draft !== null && !isChanged && <DraftDifference brand={brand} code={code} version={draft.version} />}
      <RuleEditor brand={brand} text={text} onChange={setText} />
    </Stack>
  );
}

/** Who would enter, leave and stay if the draft were published now. */
function DraftDifference({ brand, code, version }: { brand: string; code: string; version: number }) {
  const { segments: words } = useText();
  const number = useNumber();
  const params = { path: { brand, code } };
  const difference = useQuery({
    // Apart from the queries of the segment: read again after the publication, it would ask about a draft that is gone.
    queryKey: [brand, 'segment-difference', code, version],
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/segments/{code}/draft/difference', { params })),
  });
  if (difference.isError) return <Failed error={difference.error} onRetry={() => difference.refetch()} />;
  const { data } = difference;
  return (
    <Alert title={words.difference}>
      <Text className="figure">
        {words.enter}: {data ? number(data.enters) : '…'} · {words.leave}: {data ? number(data.leaves) : '…'} ·{' '}
        {words.stay}: {data ? number(data.stays) : '…'}
      </Text>
    </Alert>
  );
}
