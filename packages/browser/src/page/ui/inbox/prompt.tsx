import { Dialog } from '../dialog.tsx';
import type { View } from '../view.ts';

/** Asked before a message is deleted. Starts on Cancel, so that a second Enter destroys nothing. */
export function Prompt({ view: { asked, ask, actions, text } }: { view: View }) {
  if (asked === null) return null;
  const keep = () => ask(null);
  return (
    <Dialog class="crm-prompt" role="alertdialog" labelledby="crm-prompt-words" open onClose={keep}>
      <div class="crm-sheet">
        <p id="crm-prompt-words" class="crm-prompt-words">
          {text('deleteMessagePrompt')}
        </p>
        <div class="crm-buttons">
          <button type="button" class="crm-cta crm-cta-2 crm-cancel" autofocus onclick={keep}>
            {text('cancel')}
          </button>
          <button
            type="button"
            class="crm-cta crm-confirm"
            onclick={() => {
              keep();
              actions.remove(asked);
            }}
          >
            {text('delete')}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
