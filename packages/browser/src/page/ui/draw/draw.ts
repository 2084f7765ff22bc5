import { type Attributes, type Child, type Drawn, isDrawn } from './element.ts';

/*
 * Updates a part of the page to match a drawing. These sixty lines are used instead of Preact, because its 4.6 KB would
 * be a quarter of the script's size limit (docs/decisions/1140). Components here have no state, so there is nothing to
 * schedule, and only the previous drawing is stored.
 *
 *   before: [a, b, c]      a stays, and its content is compared
 *   now:    [a, x, c]  ->  b is removed, x is created and inserted before c
 *
 * An element is reused if it has the same tag and key. If it has no key, it is reused if it has the same tag and
 * position.
 */
interface Shown {
  child: Drawn | string;
  node: Node;
  inside: ShownList;
}
/** Class of an element that is no longer drawn, but stays on the page until its last animation ends. */
const leaving = 'crm-leaving';

type ShownList = Map<string, Shown>;

/**
 * @returns a function that draws into this element, replacing the previous drawing. Other content of the element stays before
 * the drawing.
 */
export function drawInto(parent: Element): (child: Child) => void {
  let before: ShownList = new Map();
  return (child) => {
    const later: (() => void)[] = [];
    before = follow(parent, before, [child], later);
    // These tasks run after all elements are in place, so that a dialog opens with its content.
    for (const task of later) task();
  };
}

function follow(parent: Element, before: ShownList, children: readonly Child[], later: (() => void)[]): ShownList {
  const wanted = named(children);
  for (const [name, shown] of before) {
    if (wanted.has(name)) continue;
    callGone(shown);
    leave(shown);
  }
  const now: ShownList = new Map();
  for (const [name, child] of wanted) now.set(name, update(parent, before.get(name), child, later));
  let next: Node | null = null;
  // The loop starts at the end, so that elements that stay are not moved. A move would close a dialog and remove the
  // focus.
  for (const { node } of [...now.values()].reverse()) {
    if (node.parentNode !== parent || nextThatStays(node) !== next) parent.insertBefore(node, next);
    next = node;
  }
  return now;
}

function update(parent: Element, before: Shown | undefined, child: Drawn | string, later: (() => void)[]): Shown {
  if (before?.child === child) return before;
  if (typeof child === 'string') {
    const node = before?.node ?? document.createTextNode('');
    node.nodeValue = child;
    return { child, node, inside: new Map() };
  }
  const { tag, attributes } = child;
  const space = tag === 'svg' ? 'http://www.w3.org/2000/svg' : parent.namespaceURI;
  const element = (before?.node ?? document.createElementNS(space, tag)) as HTMLElement;
  set(element, before ? (before.child as Drawn).attributes : {}, attributes);
  const inside = follow(element, before?.inside ?? new Map(), [attributes.children], later);
  later.push(() => {
    if (!before) attributes.put?.(element as never);
    attributes.drawn?.(element as never);
  });
  return { child, node: element, inside };
}

function set(element: HTMLElement, before: Attributes, now: Attributes): void {
  for (const name of Object.keys({ ...before, ...now })) {
    const value = now[name];
    if (name === 'children' || value === before[name]) continue;
    if (name.startsWith('on')) (element as unknown as Record<string, unknown>)[name] = value;
    else if (typeof value === 'string') element.setAttribute(name, value);
    else element.removeAttribute(name);
  }
}

function callGone({ node, child, inside }: Shown): void {
  for (const one of inside.values()) callGone(one);
  (child as Partial<Drawn>).attributes?.gone?.(node as never);
}

/**
 * Removes an element after its last animation. Without an animation, as for players who prefer no motion, the element
 * is removed immediately.
 */
function leave({ node, child }: Shown): void {
  const element = node as HTMLElement;
  if (!(child as Partial<Drawn>).attributes?.animatesLeaving) {
    element.remove();
    return;
  }
  // An inert element loses the focus only with the next frame, but the code that restores a lost focus runs now.
  (element.querySelector(':focus') as HTMLElement | null)?.blur();
  element.inert = true;
  element.classList.add(leaving);
  const ended = element.getAnimations().map(({ finished }) => finished);
  void Promise.allSettled(ended).then(() => element.remove());
}

function nextThatStays(node: Node): Node | null {
  let next = node.nextSibling as HTMLElement | null;
  while (next?.classList?.contains(leaving)) next = next.nextSibling as HTMLElement | null;
  return next;
}

/** Returns the children, each with the name by which it is matched. */
function named(children: readonly Child[], place = '', found = new Map<string, Drawn | string>()) {
  children.forEach((child, index) => {
    const here = `${place}.${index}`;
    if (isDrawn(child)) found.set(`${child.tag}${child.key ?? here}`, child);
    else if (Array.isArray(child)) named(child, here, found);
    else if (typeof child === 'string') found.set(here, child);
  });
  return found;
}
