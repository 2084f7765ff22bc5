import { Alert, Stack, Tabs } from '@mantine/core';
import { useIsMutating, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type SegmentShown, segmentQuery } from '../api/queries.ts';
import { useText } from '../text/text.tsx';
import { useEdited } from '../ui/edited.ts';
import { useFilters } from '../ui/filters.tsx';
import { LeaveGuard } from '../ui/leave-guard.tsx';
import { useNameOfPlace } from '../ui/place-titles.ts';
import { TabRow } from '../ui/tab-row.tsx';
import { FailedPage, LoadingPage } from '../ui/unready-page.tsx';
import { writeRule } from './rule/rule-text.ts';
import { SegmentHeader } from './segment/header.tsx';
import { SegmentList } from './segment/list.tsx';
import { SegmentMembers } from './segment/members.tsx';
import { SegmentOverlap } from './segment/overlap.tsx';
import { SegmentProgress } from './segment/progress.tsx';
import { SegmentRule, savingRule } from './segment/rule.tsx';
import { SegmentSummary } from './segment/summary.tsx';
import { SegmentTransitions } from './segment/transitions.tsx';
import { SegmentVersions } from './segment/versions.tsx';

const tabs = ['members', 'transitions', 'rule', 'versions', 'overlap'] as const;

/** One segment, with its sentence, its members, and recent transitions. */
export function Segment() {
  const { brand, code } = useParams({ from: '/$brand/segments/$code' });
  const segment = useQuery(segmentQuery(brand, code));
  useNameOfPlace(segment.data?.name);
  if (segment.isPending) return <LoadingPage />;
  if (segment.isLoadingError) return <FailedPage error={segment.error} onRetry={() => segment.refetch()} />;
  return <Loaded key={`${brand} ${code}`} brand={brand} code={code} segment={segment.data} />;
}

function Loaded({ brand, code, segment }: { brand: string; code: string; segment: SegmentShown }) {
  const { segments: words } = useText();
  const { filters, set } = useFilters();
  const tab = tabs.find((one) => one === filters.tab) ?? 'members';
  const { rule, draft, revision, reason, failed_version, progress, slowed, can_cancel } = segment;
  // If there is a draft, this is the rule of the draft. It is null if the draft is a list, as for a frozen segment.
  const editable = draft === null ? rule : draft.rule;
  // The page keeps the changes of the rule while another tab is open.
  const edited = useEdited({ content: editable === null ? '' : writeRule(editable), revision });
  const includesProtected = useEdited({ content: String((draft ?? segment).include_protected), revision });
  const [typed, setTyped] = useState({ content: '', revision });
  const isChanged = edited.isChanged || includesProtected.isChanged || typed.content !== '';
  const isSaving = useIsMutating({ mutationKey: savingRule(brand, code) }) > 0;
  const labels = { ...words.rows, rule: words.rule, overlap: words.overlap };
  const choose = (to: string | null) => set(to === null || to === 'members' ? {} : { tab: to });
  return (
    <Stack gap="lg">
      <LeaveGuard isChanged={isChanged} isSaving={isSaving} />
      <SegmentHeader brand={brand} code={code} segment={segment} />
      {reason !== null && (
        <Alert color="red" {...(failed_version !== null && { title: words.versionFailed(failed_version) })}>
          {reason}
        </Alert>
      )}
      {progress !== null && (
        <SegmentProgress
          brand={brand}
          code={code}
          progress={progress}
          isSlowed={slowed}
          canCancel={can_cancel}
          hasDraft={draft !== null}
        />
      )}
      <SegmentSummary brand={brand} code={code} segment={segment} showsSentence={tab !== 'rule'} />
      <Tabs value={tab} onChange={choose} keepMounted={false}>
        <TabRow tabs={tabs.map((value) => ({ value, label: labels[value] }))} active={tab} onChoose={choose} />
        <Tabs.Panel value="members" pt="md">
          <SegmentMembers brand={brand} code={code} isCounting={segment.counting} />
        </Tabs.Panel>
        <Tabs.Panel value="transitions" pt="md">
          <SegmentTransitions brand={brand} code={code} />
        </Tabs.Panel>
        <Tabs.Panel value="rule" pt="md">
          {editable === null && !edited.isChanged ? (
            <SegmentList {...{ brand, code, typed, includesProtected, draft, revision }} onType={setTyped} />
          ) : (
            <SegmentRule {...{ brand, code, edited, includesProtected, draft, revision }} />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="versions" pt="md">
          <SegmentVersions {...{ brand, code, revision, draft, isChanged }} />
        </Tabs.Panel>
        <Tabs.Panel value="overlap" pt="md">
          <SegmentOverlap brand={brand} code={code} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
