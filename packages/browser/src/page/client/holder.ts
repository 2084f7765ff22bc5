import { type Held, nothing, view } from './held.ts';
import type { State } from './store.ts';

/** Holds what is known, and tells when it changes. */
export interface Holder {
  get(): Held;
  view(): State;
  change(step: (held: Held) => Held): void;
  subscribe(listener: () => void): () => void;
}

/** @param onUnread Called when the count that the screen shows changes. */
export function createHolder(onUnread: (unread: number) => void): Holder {
  let held = nothing;
  let shown = view(held);
  const listeners = new Set<() => void>();
  return {
    get: () => held,
    view: () => shown,
    change(step) {
      const next = step(held);
      if (next === held) return;
      held = next;
      const { unread } = shown;
      shown = view(held);
      for (const listener of [...listeners]) listener();
      if (shown.unread !== unread) onUnread(shown.unread);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
