import { Button, Group, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { useText } from '../../text/text.tsx';
import type { useEdited } from '../../ui/edited.ts';
import { IfMay } from '../../ui/may.tsx';
import { Overtaken } from '../../ui/overtaken.tsx';
import { Failed } from '../../ui/states.tsx';
import { RuleEditor } from '../rule/rule-editor.tsx';
import { readRule } from '../rule/rule-text.ts';
import { IncludeProtected } from './include-protected.tsx';
import { DraftDifference, PublishSegment, useDraftDifference } from './publish.tsx';

interface SegmentRuleProps {
  brand: string;
  code: string;
  /** The rule of the draft. If there is no draft, it is the rule of the current version. The page of the segment keeps the user's changes. */
  edited: ReturnType<typeof useEdited<string>>;
  includesProtected: ReturnType<typeof useEdited<string>>;
  draft: { version: number } | null;
  /** Publishing is refused if another person has changed the segment since this revision. */
  revision: string;
}

/** Key of the mutation that saves the rule. The page asks whether it is running, because it outlives the tab of the rule. */
export const savingRule = (brand: string, code: string) => ['save-rule', brand, code];

/** Edits the rule of a segment as a draft, compares it with the current version, and publishes it. */
export function SegmentRule({ brand, code, edited, includesProtected, draft, revision }: SegmentRuleProps) {
  const { segments: words } = useText();
  const { content: text } = edited;
  const isChanged = edited.isChanged || includesProtected.isChanged;
  const queries = useQueryClient();
  const params = { path: { brand, code } };
  const save = useMutation({
    mutationKey: savingRule(brand, code),
    mutationFn: (sent: { rule: string; include_protected: string }) =>
      bodyOf(
        api.PUT('/api/console/v1/brands/{brand}/segments/{code}', {
          params: { ...params, query: { revision: edited.revision } },
          body: { rule: readRule(sent.rule).rule, include_protected: sent.include_protected === 'true' },
        }),
      ),
    onSuccess: (saved, sent) => {
      edited.keep(sent.rule, saved.revision);
      includesProtected.keep(sent.include_protected, saved.revision);
      return queries.invalidateQueries({ queryKey: [brand, 'segment', code] });
    },
  });
  const difference = useDraftDifference(brand, code, draft === null || isChanged ? undefined : revision);
  return (
    <Stack>
      <IfMay permission="segment.manage">
        <Group align="flex-start">
          <Button
            variant="default"
            disabled={!isChanged || edited.isOvertaken || readRule(text).problem !== null}
            loading={save.isPending}
            onClick={() => save.mutate({ rule: text, include_protected: includesProtected.content })}
          >
            {words.saveDraft}
          </Button>
          <PublishSegment {...{ brand, code, revision, difference }} isDisabled={draft === null || isChanged} />
        </Group>
      </IfMay>
      <Overtaken edited={edited} forgetError={save.reset} />
      {save.error && <Failed error={save.error} />}
      {draft !== null && !isChanged && <DraftDifference {...{ brand, code, revision, difference }} />}
      <IncludeProtected edited={includesProtected} />
      <RuleEditor brand={brand} text={text} onChange={edited.change} />
    </Stack>
  );
}
