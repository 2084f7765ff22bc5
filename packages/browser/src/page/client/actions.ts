import type { ReportActivity } from './activity.ts';
import type { SiteError } from './http.ts';
import type { Lists } from './lists.ts';
import type { Change, Model } from './model.ts';
import { type Actions, firstDemoId, isDemo } from './store.ts';
import type { TabChange } from './tabs.ts';

/** What the actions need to know about the signed-in player. It is undefined if no player is signed in. */
export interface Server {
  lists: Lists;
  /** The model of the visit. An answer that arrives after its player has left has no effect on it. */
  model: Model;
  /** Notifies other tabs. */
  tell(id: number, change: TabChange): void;
  /** Reports to the platform what happened on the screen. */
  reportActivity: ReportActivity;
  /**
   * Reports a failed call to the page. The phase does not change, because one failure says nothing about other calls.
   */
  failed(error: SiteError): void;
}

/**
 * Returns the actions of the screen. The result of an action is shown immediately, and reverted if the server refuses the
 * action.
 */
export function createActions(model: Model, server: () => Server | undefined): Actions {
  const change = async (id: number, what: Change) => {
    const current = server();
    if (!model.begin(id, what) || !current) return;
    try {
      await current.lists.change(id, what);
      current.model.apply(id, what);
    } catch (error) {
      // The message no longer exists, which is what the player wanted.
      if ((error as SiteError).status === 404) current.model.apply(id, 'delete');
      else {
        current.failed(error as SiteError);
        return current.model.takeBack(id, what);
      }
    }
    current.tell(id, what);
  };
  /** Demo messages exist on no server, so nothing is reported about them. */
  const reportActivity: ReportActivity = (id, activity) => {
    if (id < firstDemoId) server()?.reportActivity(id, activity);
  };
  const finishRemoving: Actions['finishRemoving'] = (ids = model.get().removed) => {
    for (const id of ids) void change(id, 'delete');
  };
  const showInbox = (inboxOpen: boolean) => {
    finishRemoving();
    model.show({ inboxOpen, openId: null });
  };
  return {
    toggleInbox: () => showInbox(!model.get().inboxOpen),
    closeInbox: () => showInbox(false),
    open(id) {
      finishRemoving();
      model.show({ inboxOpen: true, openId: id });
      void change(id, 'read');
    },
    backToList: () => model.show({ openId: null }),
    async readAll() {
      const current = server();
      const { inbox } = model.get();
      model.show({ problem: null });
      const pendingIds = inbox
        .filter(({ MessageId }) => model.begin(MessageId, 'read'))
        .map(({ MessageId }) => MessageId);
      const newest = inbox.find((message) => !isDemo(message));
      if (!current || !newest) return;
      try {
        const unread = await current.lists.readAll(newest.MessageId);
        for (const id of [...pendingIds, newest.MessageId]) current.model.apply(id, 'read', unread);
        for (const id of pendingIds) current.tell(id, 'read');
      } catch (error) {
        current.failed(error as SiteError);
        for (const id of pendingIds) current.model.takeBack(id, 'read');
        // If all unread messages are on pages that are not loaded, nothing was reverted. The player must still see the notice.
        current.model.show({ problem: 'read_failed' });
      }
    },
    remove: (id) => finishRemoving([id]),
    removeLater: (id) => model.show({ removed: [...model.get().removed, id], openId: null, problem: null }),
    restore: (id) => model.show({ removed: model.get().removed.filter((one) => one !== id) }),
    finishRemoving,
    async loadMore() {
      const current = server();
      model.show({ problem: null });
      try {
        await current?.lists.older();
      } catch (error) {
        current?.failed(error as SiteError);
        current?.model.show({ problem: 'load_failed' });
      }
    },
    shown(ids) {
      for (const id of ids) reportActivity(id, 'shown');
    },
    close(id) {
      model.close(id);
      reportActivity(id, 'closed');
      server()?.tell(id, 'close');
    },
    hide: (id) => model.close(id),
    follow(id) {
      reportActivity(id, 'clicked');
      void change(id, 'read');
    },
    dismissProblem: () => model.show({ problem: null }),
  };
}
