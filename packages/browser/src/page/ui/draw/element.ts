/** A drawing: plain values, created again each time and compared with the previous ones. */
export interface Drawn {
  tag: string;
  key: string | number | undefined;
  attributes: Attributes;
}

/** Empty values draw nothing but keep their position, so that elements that appear and disappear move no sibling. */
export type Child = Drawn | string | boolean | null | undefined | readonly Child[];

/** A string is set, any other value removes the attribute. Handlers are properties of the element. */
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
  /** The style sheet has an animation for `.crm-leaving`, after which the element is removed. */
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
