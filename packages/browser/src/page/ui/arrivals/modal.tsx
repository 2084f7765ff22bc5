import { Dialog } from '../dialog.tsx';
import { CloseButton } from '../icon-button.tsx';
import { Whole } from '../message/message.tsx';
import type { View } from '../view.ts';

/** The Event `message`: over everything, one at a time. Closing it in any way is reading it. */
export function Modal({ view }: { view: View }) {
  const { modal, inbox } = view;
  if (!modal) return undefined;
  const dismiss = () => view.actions.dismiss(modal.MessageId);
  return (
    <Dialog key={modal.MessageId} name="crm-modal" open fog={inbox.closeModalOnFogClick} onClose={dismiss}>
      <Whole message={modal} view={view} name="crm-modal" onDone={dismiss} />
      <CloseButton view={view} onPress={dismiss} />
    </Dialog>
  );
}
