import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { every } from '../../api/live.ts';
import { campaignsAwaitingApproval, sessionQuery } from '../../api/queries.ts';
import { places } from '../../text/places.ts';
import { rewards } from '../../text/rewards.ts';
import { useWords } from '../../text/text.tsx';
import { Sure, useAct } from '../../ui/act.tsx';
import { useMay } from '../../ui/may.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { ApprovalRequest } from './approval-request.tsx';
import { RejectDraft } from './reject-draft.tsx';

const refreshMs = 5_000;

/** Drafts of campaigns that wait for approval by a second person, each with what it changes. */
export function Approvals() {
  const brand = useBrand();
  const { approvals: words } = useWords(rewards);
  const title = useWords(places).pages.approvals;
  const may = useMay()('campaign.manage');
  const session = useQuery(sessionQuery);
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
                ...draft.approval,
              },
            ],
      );
    },
  });
  const approve = useAct(
    ({ code, revision }: { code: string; revision: string }) =>
      api.POST('/api/console/v1/brands/{brand}/campaigns/{code}/approve', {
        params: { path: { brand, code }, query: { revision } },
      }),
    { touches: [brand], done: words.approved },
  );
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
            action={
              may &&
              (request.asked_by === session.data?.actor ? (
                <Text size="sm" c="dimmed">
                  {words.own}
                </Text>
              ) : (
                <Group gap="xs">
                  <RejectDraft brand={brand} code={request.code} name={request.name} revision={request.revision} />
                  <Sure
                    label={words.approve}
                    text={words.approveSure}
                    onSure={() => approve.mutate({ code: request.code, revision: request.revision })}
                  />
                </Group>
              ))
            }
          />
        ))
      )}
    </Page>
  );
}
