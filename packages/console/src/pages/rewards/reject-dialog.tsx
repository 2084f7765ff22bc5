import { Button, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { rewards } from '../../text/rewards.ts';
import { useWords } from '../../text/text.tsx';
import { useAct } from '../../ui/act.tsx';
import { DialogEnd } from '../../ui/dialog-end.tsx';
import { FormDialog, LeaveGuard } from '../../ui/leave-guard.tsx';
import { useBrand } from '../../ui/page.tsx';
import type { WaitingDraft } from './decide-draft.tsx';

interface RejectDialogProps {
  /** The draft when the dialog was opened. Undefined if the dialog is closed. */
  draft: WaitingDraft | undefined;
  onClose(): void;
}

/** A dialog that rejects a draft that waits for approval. It asks for the reason. */
export function RejectDialog({ draft, onClose }: RejectDialogProps) {
  const { approvals: words } = useWords(rewards);
  return (
    <FormDialog opened={draft !== undefined} onClose={onClose} title={`${words.reject}: ${draft?.name ?? ''}`}>
      {draft !== undefined && <Form draft={draft} onClose={onClose} />}
    </FormDialog>
  );
}

function Form({ draft: { code, revision }, onClose }: RejectDialogProps & { draft: WaitingDraft }) {
  const brand = useBrand();
  const { approvals: words } = useWords(rewards);
  const [text, setText] = useState('');
  const reason = text.trim();
  const reject = useAct(
    () =>
      api.POST('/api/console/v1/brands/{brand}/campaigns/{code}/reject', {
        params: { path: { brand, code }, query: { revision } },
        body: { reason },
      }),
    { touches: [brand], done: words.rejected, onDone: onClose },
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        reject.mutate();
      }}
    >
      <LeaveGuard isChanged={reason !== ''} isSaving={reject.isPending} />
      <Stack>
        <Text size="sm">{words.rejectAbout}</Text>
        <Textarea
          label={words.rejectWhy}
          description={words.rejectHint}
          required
          data-autofocus
          autosize
          minRows={2}
          maxRows={8}
          maxLength={1_000}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <DialogEnd error={reject.error} isBusy={reject.isPending} onClose={onClose}>
          <Button type="submit" color="red" disabled={reason === ''} loading={reject.isPending}>
            {words.reject}
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}
