import { applied, begun, type Change, failed, type Held, isDemo } from './held.ts';
import type { Holder } from './holder.ts';
import { SiteError } from './http.ts';
import type { Actions } from './store.ts';

/** What the actions ask of the player's session of the moment; none: nobody is signed in. */
export interface Server {
  change(id: number, change: Change): Promise<unknown>;
  older(): Promise<void>;
  /** Told after a confirmed change. */
  changed(id: number, change: Change): void;
  isEnded(): boolean;
  /** Whatever a call failed with. */
  failed(error: unknown): void;
}

/** What the screen can do: shown at once, taken back where the server says no. */
export function createActions(holder: Holder, server: () => Server | undefined): Actions {
  const isOpen = () => holder.get().inboxOpen;
  const set = (part: Partial<Held>) => holder.change((held) => ({ ...held, ...part }));

  const change = async (id: number, what: Change) => {
    const { pending, inbox, arrivals } = holder.get();
    const known = [...inbox, ...arrivals].find(({ MessageId }) => MessageId === id);
    const before = pending.get(id);
    if (known === undefined || before === what || before === 'delete' || (what === 'read' && known.IsRead)) return;
    const current = server();
    if (isDemo(known) || current === undefined) return holder.change((held) => applied(held, id, what));
    holder.change((held) => begun(held, id, what));
    let error: unknown;
    await current.change(id, what).catch((reason: unknown) => {
      error = reason;
    });
    // Of a session that is over nothing is left to change.
    if (current.isEnded()) return;
    // Gone already: what was wanted is so.
    const isGone = error instanceof SiteError && error.status === 404;
    if (error === undefined || isGone) {
      holder.change((held) => applied(held, id, isGone ? 'delete' : what));
      current.changed(id, isGone ? 'delete' : what);
    } else {
      // A read that was overtaken by a delete has nothing to take back.
      if (holder.get().pending.get(id) === what) holder.change((held) => failed(held, id, what));
      current.failed(error);
    }
  };

  return {
    toggleInbox: () => set({ inboxOpen: !isOpen(), openId: null }),
    closeInbox: () => set({ inboxOpen: false, openId: null }),
    open(id) {
      // From a hint too: what is opened is no longer announced.
      holder.change((held) => ({ ...held, inboxOpen: true, openId: id, arrivals: rest(held, id) }));
      void change(id, 'read');
    },
    backToList: () => set({ openId: null }),
    remove: (id) => void change(id, 'delete'),
    loadMore() {
      const current = server();
      current?.older().catch((error) => {
        if (current.isEnded()) return;
        set({ problem: 'load_failed' });
        current.failed(error);
      });
    },
    dismiss(id) {
      const shown = holder.get().arrivals.find(({ MessageId }) => MessageId === id);
      // The hint of an inbox message says that there is one; having seen it is not having read it.
      if (shown !== undefined && shown.Event !== 'inbox') void change(id, 'read');
      holder.change((held) => ({ ...held, arrivals: rest(held, id) }));
    },
    dismissProblem: () => set({ problem: null }),
  };
}

function rest({ arrivals }: Held, id: number): Held['arrivals'] {
  return arrivals.filter(({ MessageId }) => MessageId !== id);
}
