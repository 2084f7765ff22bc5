/** A drawing: plain values, created again each time and compared with the previous ones. */
export interface Drawn {
  tag: string;
  key: string | number | undefined;
  attributes: Attributes;
}

/**
 * Empty values draw nothing, but they keep their position. So elements that appear and disappear do not move their
 * siblings.
 */
export type Child = Drawn | string | boolean | null | undefined | readonly Child[];

/** An attribute is set if its value is a string, and removed if it is any other value. Handlers are properties of the element. */
export interface Attributes {
  [name: string]: unknown;
  children?: Child;
  /** HTML attributes that are not text. */
  autofocus?: '';
  tabindex?: string | false;
  onclick?(event: MouseEvent): void;
  onmousedown?(event: MouseEvent): void;
  onkeydown?(event: KeyboardEvent): void;
  onclose?(event: { target: HTMLDialogElement }): void;
  onerror?(event: Event): void;
  /** Set if the style sheet has an animation for `.crm-leaving`. The element is removed after this animation. */
  animatesLeaving?: true;
  /** Called after the element was inserted into the document. */
  put?(element: never): void;
  /** Called after each drawing, including the first. */
  drawn?(element: never): void;
  /** Called before the element, or one around it, is removed from the document. */
  gone?(element: never): void;
}

export function isDrawn(child: Child): child is Drawn {
  return !!(child as Partial<Drawn> | null | undefined)?.tag;
}
