/**
 * A queue of future actions: a binary heap by (time, order of insertion), so that equal times keep their order and runs are
 * reproducible.
 */
export interface Agenda<T> {
  readonly size: number;
  add(at: number, item: T): void;
  /** Returns the time of the earliest entry, or infinity if there is none. */
  nextAt(): number;
  take(): { at: number; item: T } | undefined;
}

interface Entry<T> {
  at: number;
  order: number;
  item: T;
}

export function createAgenda<T>(): Agenda<T> {
  const heap: Entry<T>[] = [];
  let order = 0;

  function before(a: Entry<T>, b: Entry<T>): boolean {
    return a.at < b.at || (a.at === b.at && a.order < b.order);
  }

  function sink(entry: Entry<T>): void {
    let place = 0;
    for (;;) {
      const left = heap[2 * place + 1];
      const right = heap[2 * place + 2];
      if (left === undefined) break;
      const isRight = right !== undefined && before(right, left);
      const child = isRight ? right : left;
      if (!before(child, entry)) break;
      heap[place] = child;
      place = 2 * place + (isRight ? 2 : 1);
    }
    heap[place] = entry;
  }

  return {
    get size() {
      return heap.length;
    },
    add(at, item) {
      const entry = { at, order, item };
      order += 1;
      let place = heap.length;
      heap.push(entry);
      while (place > 0) {
        const above = (place - 1) >> 1;
        const parent = heap[above];
        if (parent === undefined || !before(entry, parent)) break;
        heap[place] = parent;
        place = above;
      }
      heap[place] = entry;
    },
    nextAt: () => heap[0]?.at ?? Number.POSITIVE_INFINITY,
    take() {
      const first = heap[0];
      const last = heap.pop();
      if (first === undefined || last === undefined) return undefined;
      if (heap.length > 0) sink(last);
      return { at: first.at, item: first.item };
    },
  };
}
