import { Button, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { useText } from '../../text/text.tsx';
import { useAct } from '../../ui/act.tsx';
import { DialogEnd } from '../../ui/dialog-end.tsx';
import { FormDialog, LeaveGuard } from '../../ui/leave-guard.tsx';
import { useUndo } from '../../ui/undo.tsx';

interface RenameSegmentProps {
  brand: string;
  code: string;
  name: string;
  /** The new name is refused if another person has changed the segment since this revision. */
  revision: string;
  onClose(): void;
}

/** A dialog that changes the name of a segment. Undo restores the former one. */
export function RenameSegment({ isOpen, ...form }: RenameSegmentProps & { isOpen: boolean }) {
  const { segments: words } = useText();
  return (
    <FormDialog opened={isOpen} onClose={form.onClose} title={words.rename}>
      <NameForm {...form} />
    </FormDialog>
  );
}

function NameForm({ brand, code, name, revision, onClose }: RenameSegmentProps) {
  const { segments: words, common } = useText();
  const offerUndo = useUndo();
  // The page reads the segment again while the dialog is open.
  const [former] = useState({ name, revision });
  const [typed, setTyped] = useState(name);
  const rename = useAct(
    (to: { name: string; revision: string }) =>
      bodyOf(
        api.PUT('/api/console/v1/brands/{brand}/segments/{code}', {
          params: { path: { brand, code }, query: { revision: to.revision } },
          body: { name: to.name },
        }),
      ),
    { touches: [brand, 'segment', code] },
  );
  const submit = () =>
    rename.mutate(
      { name: typed.trim(), revision: former.revision },
      {
        onSuccess: (renamed) => {
          const undo = { name: former.name, revision: renamed.revision };
          offerUndo(words.renamed(renamed.name), () => rename.mutateAsync(undo));
          onClose();
        },
      },
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <LeaveGuard isChanged={typed !== former.name} isSaving={rename.isPending} />
      <Stack>
        <TextInput
          label={common.name}
          required
          maxLength={200}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          data-autofocus
        />
        <DialogEnd error={null} isBusy={rename.isPending} onClose={onClose}>
          <Button
            type="submit"
            disabled={typed.trim() === '' || typed.trim() === former.name}
            loading={rename.isPending}
          >
            {words.rename}
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}
