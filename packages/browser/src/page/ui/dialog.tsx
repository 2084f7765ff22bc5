import { Component, type ComponentChildren, createRef } from 'preact';

interface Props {
  class: string;
  /** Id of the element that names it. */
  labelledby: string;
  role?: 'alertdialog';
  open: boolean;
  /** A press on the fog around it closes it. */
  fog?: boolean;
  /** Escape, or the fog; not for what the state has closed. Told late by the browser, when it may be open again. */
  onClose(): void;
  children?: ComponentChildren;
}

const stops = 'a[href],button,[tabindex="0"]';

/**
 * A modal on the browser's own <dialog>: above everything whatever the page's z-index, the page behind it inert, and the focus given back
 * on closing, none of which a positioned element can promise. Ours is only that Tab goes round inside: the browser would leave for
 * its address bar at the end.
 */
export class Dialog extends Component<Props> {
  private dialog = createRef<HTMLDialogElement>();
  private gone = false;
  private pressed: EventTarget | null = null;

  private get element(): HTMLDialogElement {
    return this.dialog.current as HTMLDialogElement;
  }

  override componentDidMount(): void {
    this.follow();
  }

  override componentDidUpdate(): void {
    this.follow();
  }

  /** An element that leaves the page while it is open would keep the focus for itself. */
  override componentWillUnmount(): void {
    this.gone = true;
    this.element.close();
  }

  private follow(): void {
    const { element } = this;
    if (this.props.open === element.open) return;
    if (this.props.open) element.showModal();
    else element.close();
  }

  private closed = (): void => {
    if (!this.gone && this.props.open && !this.element.open) this.props.onClose();
  };

  private press = ({ target }: Event): void => {
    this.pressed = target;
  };

  /** Both ends of the click: a selection of text that ends over the fog is none. */
  private click = ({ target }: Event): void => {
    if (this.props.fog && target === this.element && this.pressed === target) this.props.onClose();
  };

  private key = (event: KeyboardEvent): void => {
    if (event.key !== 'Tab') return;
    const all = [...this.element.querySelectorAll<HTMLElement>(stops)];
    const [first, last] = event.shiftKey ? [all.at(-1), all[0]] : [all[0], all.at(-1)];
    const place = all.indexOf(document.activeElement as HTMLElement);
    if (all[place] !== last && (place >= 0 || !event.shiftKey)) return;
    event.preventDefault();
    first?.focus();
  };

  override render({ class: name, labelledby, role, children }: Props) {
    return (
      <dialog
        ref={this.dialog}
        class={name}
        role={role}
        aria-labelledby={labelledby}
        onClose={this.closed}
        onMouseDown={this.press}
        onClick={this.click}
        onKeyDown={this.key}
      >
        {children}
      </dialog>
    );
  }
}
