import { Button, type ButtonProps, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { sessionQuery } from '../../api/queries.ts';
import { rewards } from '../../text/rewards.ts';
import { useWords } from '../../text/text.tsx';
import { Sure, useAct } from '../../ui/act.tsx';
import { useMay } from '../../ui/may.tsx';
import { useBrand } from '../../ui/page.tsx';

/** A draft of a campaign that waits for approval. */
export interface WaitingDraft {
  code: string;
  /** The name of the campaign, or of its version, in the title of the dialog. */
  name: string;
  /** Revision of the draft on the page. The decision is refused if another person has changed the draft since then. */
  revision: string;
  created_by: string;
  asked_by: string;
}

interface DecideDraftProps extends Pick<ButtonProps, 'size'> {
  of: WaitingDraft;
  /** Opens the `RejectDialog`. The page renders it, so that it stays open when the draft is no longer on the page. */
  onReject(draft: WaitingDraft): void;
}

/** Buttons that approve or reject a draft. The person who wrote it or requested its publication sees that another person must decide. */
export function DecideDraft({ of, onReject, size }: DecideDraftProps) {
  const brand = useBrand();
  const { approvals: words } = useWords(rewards);
  const may = useMay()('campaign.manage');
  const actor = useQuery(sessionQuery).data?.actor;
  const { code, revision, created_by, asked_by } = of;
  const approve = useAct(
    () =>
      api.POST('/api/console/v1/brands/{brand}/campaigns/{code}/approve', {
        params: { path: { brand, code }, query: { revision } },
      }),
    { touches: [brand], done: words.approved },
  );
  if (!may) return null;
  if (actor === created_by || actor === asked_by)
    return (
      <Text size="sm" c="dimmed">
        {words.own}
      </Text>
    );
  return (
    <Group gap="xs">
      <Button variant="light" color="red" {...(size && { size })} onClick={() => onReject(of)}>
        {words.reject}
      </Button>
      {/* If another person changes the draft, the question closes, because it was about the former draft. */}
      <Sure
        key={revision}
        {...(size && { size })}
        label={words.approve}
        text={words.approveSure}
        loading={approve.isPending}
        onSure={() => approve.mutate()}
      />
    </Group>
  );
}
