import { Button, type ButtonProps, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { rewards } from '../../text/rewards.ts';
import { useWords } from '../../text/text.tsx';
import { useAct } from '../../ui/act.tsx';
import { DialogEnd } from '../../ui/dialog-end.tsx';

interface RejectDraftProps extends ButtonProps {
  brand: string;
  code: string;
  /** The name of the campaign, or of its version, in the title of the dialog. */
  name: string;
  /** Revision of the draft on the page. The rejection is refused if another person has changed the draft since then. */
  revision: string;
}

/** A button that rejects a draft that waits for approval. It asks for the reason. */
export function RejectDraft({ brand, code, name, revision, ...button }: RejectDraftProps) {
  const { approvals: words } = useWords(rewards);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="light" color="red" {...button} onClick={open}>
        {words.reject}
      </Button>
      <Modal opened={isOpen} onClose={close} title={`${words.reject}: ${name}`}>
        <Form brand={brand} code={code} revision={revision} onClose={close} />
      </Modal>
    </>
  );
}

function Form({
  brand,
  code,
  revision,
  onClose,
}: Pick<RejectDraftProps, 'brand' | 'code' | 'revision'> & { onClose(): void }) {
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
