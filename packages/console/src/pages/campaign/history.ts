/** What was, what is, and what was undone; the newest last. */
export interface History<T> {
  past: readonly T[];
  now: T;
  undone: readonly T[];
}

export const begin = <T>(now: T): History<T> => ({ past: [], now, undone: [] });

export function change<T>({ past, now }: History<T>, to: T): History<T> {
  return { past: [...past, now], now: to, undone: [] };
}

export function undo<T>(history: History<T>): History<T> {
  const { past, now, undone } = history;
  const before = past.at(-1);
  return before === undefined ? history : { past: past.slice(0, -1), now: before, undone: [...undone, now] };
}

export function redo<T>(history: History<T>): History<T> {
  const { past, now, undone } = history;
  const after = undone.at(-1);
  return after === undefined ? history : { past: [...past, now], now: after, undone: undone.slice(0, -1) };
}
