/** What the screen shall look like: plain values, made anew on each drawing and compared with those of the one before. */
export interface Drawn {
  tag: string;
  key: string | number | undefined;
  attributes: Attributes;
}

/** Nothing is drawn for the empty ones; they hold their place, so that what comes and goes moves no sibling. */
export type Child = Drawn | string | boolean | null | undefined | readonly Child[];

/** A string is set, anything else is taken away. Handlers are the element's own properties. */
export interface Attributes {
  [name: string]: unknown;
  children?: Child;
  /** Those of HTML that are no text there. */
  autofocus?: '';
  tabindex?: string | false;
  onclick?(event: MouseEvent): void;
  onmousedown?(event: MouseEvent): void;
  onkeydown?(event: KeyboardEvent): void;
  onclose?(event: { target: HTMLDialogElement }): void;
  onerror?(event: Event): void;
  /** The style sheet has an animation for `.crm-leaving`, after which the element goes. */
  animatesLeaving?: true;
  /** After the element has come into the document. */
  put?(element: never): void;
  /** After each drawing, the first included. */
  drawn?(element: never): void;
  /** Before the element, or one around it, leaves the document. */
  gone?(element: never): void;
}

export function isDrawn(child: Child): child is Drawn {
  return !!(child as Partial<Drawn> | null | undefined)?.tag;
}
