import type { Child } from './draw/element.ts';

interface Props {
  /** Its class. The id of its title is `<name>-title`. */
  name: string;
  role?: 'alertdialog';
  open: boolean;
  /** True if a click on the backdrop closes it. */
  fog?: boolean;
  /** Called for Escape or a click on the backdrop, but not if the state closed it. */
  onClose(): void;
  onKey?(event: KeyboardEvent): void;
  children?: Child;
}

/**
 * The dialogs that the state has opened. When the player presses Escape, the browser usually asks before it closes a
 * dialog (event `cancel`). If there was no user gesture since the last `cancel`, it closes the dialog immediately, and
 * reports this later. Until this report, no rendering may open the dialog again. The state may also close it in the
 * meantime.
 */
const opened = new WeakSet<HTMLDialogElement>();
/**
 * The element on which the mouse button was pressed. Without it, a text selection that ends over the backdrop would
 * count as a click on the backdrop.
 */
let pressed: EventTarget | null = null;

/**
 * A modal based on the browser's own <dialog>. It is above everything, whatever the page's z-index. The page behind it
 * is inert, and the focus is restored on closing. An absolutely positioned element could not guarantee any of this. Tab
 * cycles inside, including the browser's own toolbar.
 */
export function Dialog({ name, role, open, fog, onClose, onKey, children }: Props) {
  return (
    <dialog
      class={`crm-dialog ${name}`}
      animatesLeaving
      role={role}
      aria-labelledby={`${name}-title`}
      drawn={(dialog: HTMLDialogElement) => {
        if (open && !opened.has(dialog)) {
          opened.add(dialog);
          dialog.showModal();
        } else if (!open && opened.delete(dialog)) dialog.close();
      }}
      onclose={({ target: dialog }) => {
        if (opened.has(dialog) && !dialog.open) onClose();
      }}
      // An open dialog that is removed from the page would keep the focus.
      gone={(dialog: HTMLDialogElement) => {
        opened.delete(dialog);
        dialog.close();
      }}
      oncancel={onClose}
      onkeydown={onKey}
      onmousedown={({ target }) => {
        pressed = target;
      }}
      onclick={({ target, currentTarget }) => {
        if (fog && target === currentTarget && pressed === target) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
