import { type Attributes, type Child, isDrawn } from './element.ts';

/*
 * The functions that `<tag attribute={...}>children</tag>` calls in this package. tsconfig.json maps #draw to this
 * folder.
 */

/** A component is a function of its properties. It is called immediately, and has no state. */
// biome-ignore lint/suspicious/noExplicitAny: components have different properties; they are checked where a component is used
type Component = (properties: any) => Child;

export function jsx(tag: string | Component, properties: Attributes, key?: string | number): Child {
  if (typeof tag === 'string') return { tag, key, attributes: properties };
  const made = tag(properties);
  return key !== undefined && isDrawn(made) ? { ...made, key } : made;
}

export { jsx as jsxs };

export declare namespace JSX {
  type Element = Child;
  interface IntrinsicElements {
    [tag: string]: Attributes;
  }
  interface IntrinsicAttributes {
    key?: string | number;
  }
  interface ElementChildrenAttribute {
    children: unknown;
  }
}
