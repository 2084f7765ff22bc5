import { createModel } from '../../src/page/client/model.ts';
import type { Actions, Message, State, Store } from '../../src/page/client/store.ts';

/** A store that a test can change from outside the page. */
export interface MemoryStore extends Store {
  set(part: Partial<State>): void;
  /** Names of the actions that the screen has called, with their arguments, such as `open 3`. */
  calls: string[];
}

/** Creates a store without a server. Actions are applied immediately. */
export function createMemoryStore(initial: Partial<State>): MemoryStore {
  let state: State = { ...createModel(() => {}).get(), phase: 'ready', ...initial };
  const listeners = new Set<() => void>();
  const calls: string[] = [];
  const set = (part: Partial<State>) => {
    state = { ...state, ...part };
    for (const listener of [...listeners]) listener();
  };
  const without = (list: readonly Message[], id: number) => list.filter(({ MessageId }) => MessageId !== id);
  const actions: Actions = {
    toggleInbox: () => set({ inboxOpen: !state.inboxOpen, openId: null }),
    closeInbox: () => set({ inboxOpen: false, openId: null }),
    open: (id) =>
      set({
        inboxOpen: true,
        openId: id,
        inbox: state.inbox.map((one) => (one.MessageId === id ? { ...one, IsRead: true } : one)),
        unread: state.inbox.filter((one) => !one.IsRead && one.MessageId !== id).length,
        arrivals: without(state.arrivals, id),
      }),
    backToList: () => set({ openId: null }),
    readAll: () => set({ inbox: state.inbox.map((one) => ({ ...one, IsRead: true })), unread: 0 }),
    remove: (id) => set({ inbox: without(state.inbox, id), openId: state.openId === id ? null : state.openId }),
    removeLater: (id) => set({ removed: [...state.removed, id], openId: null }),
    restore: (id) => set({ removed: state.removed.filter((one) => one !== id) }),
    finishRemoving: (ids = []) => {
      for (const id of ids)
        set({ inbox: without(state.inbox, id), removed: state.removed.filter((one) => one !== id) });
    },
    loadMore: () => {},
    shown: () => {},
    close: (id) => set({ arrivals: without(state.arrivals, id) }),
    hide: (id) => set({ arrivals: without(state.arrivals, id) }),
    follow: (id) => set({ arrivals: without(state.arrivals, id) }),
    dismissProblem: () => set({ problem: null }),
  };
  const recorded = actions as unknown as Record<string, (id?: unknown) => void>;
  for (const [name, action] of Object.entries(recorded)) {
    // This action is not recorded, because the screen calls it at each drawing.
    if (name === 'shown') continue;
    recorded[name] = (id?: unknown) => {
      calls.push(id === undefined ? name : `${name} ${id}`);
      action(id);
    };
  }
  return {
    get: () => state,
    set,
    calls,
    actions,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
