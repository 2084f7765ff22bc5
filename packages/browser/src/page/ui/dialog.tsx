import type { Child } from './draw/element.ts';

interface Props {
  /** Its class; the id of its title is `<name>-title`. */
  name: string;
  role?: 'alertdialog';
  open: boolean;
  /** A press on the fog around it closes it. */
  fog?: boolean;
  /** Escape, or the fog; not for what the state has closed. */
  onClose(): void;
  children?: Child;
}

/**
 * Those that the state has opened. At Escape the browser mostly asks first (`cancel`); without a gesture since the last one it closes at
 * once and tells it later: what is drawn in between must not open it again, and by the time it is told, the state may have.
 */
const opened = new WeakSet<HTMLDialogElement>();
/** Where the mouse went down: a selection of text that ends over the fog is no press on it. */
let pressed: EventTarget | null = null;

/**
 * A modal on the browser's own <dialog>: above everything whatever the page's z-index, the page behind it inert, and the focus given back
 * on closing, none of which a positioned element can promise. Tab goes round inside, by way of the browser's own bar.
 */
export function Dialog({ name, role, open, fog, onClose, children }: Props) {
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
      // One that leaves the page while it is open would keep the focus for itself.
      gone={(dialog: HTMLDialogElement) => {
        opened.delete(dialog);
        dialog.close();
      }}
      oncancel={onClose}
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
