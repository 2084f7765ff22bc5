import { Dialog } from '../dialog.tsx';
import { CloseButton } from '../icon-button.tsx';
import { Whole } from '../message/message.tsx';
import type { View } from '../view.ts';

/**
 * A message with the Event `message`. It covers everything, and only one is shown at a time. Closing it does not mark
 * it as read, but following a button or link in it does.
 */
export function Modal({ view }: { view: View }) {
  const { modal, inbox } = view;
  if (!modal) return undefined;
  const { MessageId } = modal;
  const close = () => view.actions.close(MessageId);
  return (
    <Dialog key={MessageId} name="crm-modal" open fog={inbox.closeModalOnFogClick} onClose={close}>
      <Whole
        message={modal}
        view={view}
        name="crm-modal"
        onDone={() => view.actions.follow(MessageId)}
        onDismiss={close}
      />
      <CloseButton view={view} onPress={close} />
    </Dialog>
  );
}
