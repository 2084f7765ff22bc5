import { Dialog } from '../dialog.tsx';
import { CloseButton } from '../icon-button.tsx';
import { Body, Picture } from '../message/message.tsx';
import type { View } from '../view.ts';

/** The Event `message`: over everything, one at a time. Closing it in any way is reading it. */
export function Modal({ view }: { view: View }) {
  const { modal, inbox } = view;
  if (modal === undefined) return null;
  const dismiss = () => view.actions.dismiss(modal.MessageId);
  return (
    <Dialog
      key={modal.MessageId}
      class="crm-modal"
      labelledby="crm-modal-title"
      open
      fog={inbox.closeModalOnFogClick}
      onClose={dismiss}
    >
      <div class="crm-sheet">
        <div class="crm-scroll" tabindex={0}>
          <Picture address={modal.ImageUrl} class="crm-image" />
          <div class="crm-content">
            <h2 id="crm-modal-title" class="crm-heading" dir="auto" tabindex={-1} autofocus>
              {modal.Title}
            </h2>
            <Body message={modal} view={view} onDone={dismiss} />
          </div>
        </div>
        <CloseButton view={view} onPress={dismiss} />
      </div>
    </Dialog>
  );
}
