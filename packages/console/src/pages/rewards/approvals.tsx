import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { every } from '../../api/live.ts';
import { campaignsAwaitingApproval } from '../../api/queries.ts';
import { places } from '../../text/places.ts';
import { rewards } from '../../text/rewards.ts';
import { useWords } from '../../text/text.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { ApprovalRequest } from './approval-request.tsx';
import { DecideDraft, type WaitingDraft } from './decide-draft.tsx';
import { RejectDialog } from './reject-dialog.tsx';

const refreshMs = 5_000;

/** Drafts of campaigns that wait for approval by a second person, each with what it changes. */
export function Approvals() {
  const brand = useBrand();
  const { approvals: words } = useWords(rewards);
  const title = useWords(places).pages.approvals;
  const [rejected, setRejected] = useState<WaitingDraft>();
  const waiting = useQuery({
    queryKey: [brand, 'approvals'],
    refetchInterval: every(refreshMs),
    queryFn: async () => {
      const all = await campaignsAwaitingApproval(brand);
      return all.flatMap(({ code, name, draft, revision, version, document }) =>
        draft?.approval == null
          ? []
          : [
              {
                code,
                name,
                revision,
                version: draft.version,
                published: version,
                before: version === null ? undefined : document,
                after: draft.document,
                movesRuns: draft.moves_runs,
                created_by: draft.created_by,
                ...draft.approval,
              },
            ],
      );
    },
  });
  if (waiting.isLoadingError) return <FailedPage error={waiting.error} onRetry={() => waiting.refetch()} />;
  if (waiting.isPending) return <LoadingPage />;
  return (
    <Page title={title} about={words.about}>
      {waiting.data.length === 0 ? (
        <Empty next={<To to="compliance/contact-rules">{words.toRules}</To>}>{words.none}</Empty>
      ) : (
        waiting.data.map((request) => (
          <ApprovalRequest
            key={request.code}
            of={request}
            action={<DecideDraft of={request} onReject={setRejected} />}
          />
        ))
      )}
      <RejectDialog draft={rejected} onClose={() => setRejected(undefined)} />
    </Page>
  );
}
