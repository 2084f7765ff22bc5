import { Dialog } from '../dialog.tsx';
import type { View } from '../view.ts';

/**
 * The question before a message is deleted. The focus starts on Cancel, so that pressing Enter twice does not delete the
 * message.
 */
export function Prompt({ view: { messageToDelete, ask, actions, text } }: { view: View }) {
  if (!messageToDelete) return undefined;
  const keep = () => ask(null);
  return (
    <Dialog name="crm-prompt" role="alertdialog" open onClose={keep}>
      <h2 id="crm-prompt-title" class="crm-prompt-words">
        {text('deleteMessagePrompt')}
      </h2>
      <div class="crm-buttons">
        <button type="button" class="crm-cta crm-cta-2 crm-cancel" autofocus="" onclick={keep}>
          {text('cancel')}
        </button>
        <button
          type="button"
          class="crm-cta crm-confirm"
          onclick={() => {
            keep();
            actions.remove(messageToDelete);
          }}
        >
          {text('delete')}
        </button>
      </div>
    </Dialog>
  );
}
