import type { TrustedPolicy } from '../bridge.ts';
import type { Store } from '../client/store.ts';
import type { Settings } from '../config/settings.ts';
import { Banners } from './arrivals/banners.tsx';
import { Modal } from './arrivals/modal.tsx';
import { watchBadge } from './badge.ts';
import { drawInto } from './draw/draw.ts';
import { followFocus } from './focus.ts';
import { Inbox } from './inbox/inbox.tsx';
import { Prompt } from './inbox/prompt.tsx';
import { scrollLock } from './scroll-lock.ts';
import { adoptStyles } from './style/adopt.ts';
import { idsOnScreen, shownOf, type View } from './view.ts';

export interface UiOptions {
  store: Store;
  settings: Settings;
  policy: Pick<TrustedPolicy, 'createHTML'>;
  /** The nonce of the loader's tag. It is used only if a browser has no constructable style sheets. */
  nonce: string;
}

/**
 * Shows the store under `#crm-widget` and in the badge, until it is unmounted. At each change of the store, everything
 * is drawn again from the state.
 */
export function mountUi({ store, settings, policy, nonce }: UiOptions): () => void {
  const { inbox } = settings;
  const found = document.getElementById('crm-widget');
  const root = found ?? document.createElement('div');
  root.id = 'crm-widget';
  root.classList.add('crm-root');

  adoptStyles(nonce);
  // On a page without a font, the browser uses its serif default. The system font is easier to read.
  if (/^"?(times|serif|-webkit-standard)/i.test(getComputedStyle(document.body).fontFamily)) {
    root.classList.add('crm-system-font');
  }
  const badge = inbox.enable && inbox.badgeId ? watchBadge(inbox.badgeId) : undefined;
  const show = drawInto(root);
  const lock = scrollLock();
  const focus = followFocus();
  const text = (key: string) => settings.texts[key] ?? key;
  const trust = (html: string) => policy.createHTML(html);
  const entryCache: View['entryCache'] = {};
  let messageToDelete: number | null = null;
  /** The last message of the list when older ones were requested. */
  let pagedFrom: number | undefined;
  let unreadOnly = false;

  const draw = () => {
    // Some frameworks replace the page's body.
    if (!root.isConnected) document.body.append(root);
    const state = store.get();
    const shown = shownOf(state);
    // The message may disappear while the question is open: it is recalled, expires, or is deleted in another tab.
    if (!state.inboxOpen || !state.inbox.some(({ MessageId }) => MessageId === messageToDelete)) messageToDelete = null;
    const oldest = state.inbox.at(-1)?.MessageId;
    // The request for older messages has ended.
    if (oldest !== pagedFrom || state.problem || !state.hasMore) pagedFrom = undefined;
    const isPaging = !!pagedFrom;
    const page = () => {
      if (isPaging) return;
      pagedFrom = oldest;
      store.actions.dismissProblem();
      store.actions.loadMore();
      draw();
    };
    if (!state.inboxOpen) unreadOnly = false;
    const listed = state.inbox.filter(
      ({ IsRead, MessageId }) =>
        !unreadOnly || !IsRead || MessageId === state.openId || state.removed.includes(MessageId),
    );
    const view: View = {
      ...shown,
      state,
      actions: store.actions,
      inbox,
      text,
      trust,
      entryCache,
      messageToDelete,
      ask,
      isPaging,
      page,
      listed,
      unreadOnly,
      toggleUnreadOnly() {
        unreadOnly = !unreadOnly;
        draw();
      },
    };
    show([
      inbox.enable && <Inbox view={view} />,
      <Prompt view={view} />,
      <Modal view={view} />,
      <Banners view={view} />,
    ]);
    badge?.set(state.unread);
    lock(!!root.querySelector('dialog[open]'));
    focus(view);
    const announced = state.inboxOpen && state.arrivals.find(({ Event }) => Event === 'inbox');
    if (announced) store.actions.hide(announced.MessageId);
    // The unread messages, or the one after the open message, may be on pages that are not loaded yet.
    const needsPage = shown.detail ? shown.detail === listed.at(-1) : unreadOnly && !listed.length;
    if (needsPage && state.hasMore && !state.problem) page();
    // The player does not see what is drawn in a hidden tab.
    if (!document.hidden) store.actions.shown(idsOnScreen(shown, state, inbox.enable));
  };
  function ask(messageId: number | null): void {
    messageToDelete = messageId;
    draw();
  }

  const stop = store.subscribe(draw);
  document.addEventListener('visibilitychange', draw);
  // A time such as "5 minutes ago" is valid for a minute.
  const clock = setInterval(() => {
    entryCache.drawn = {};
    if (store.get().inboxOpen && !document.hidden) draw();
  }, 60_000);
  draw();
  return () => {
    stop();
    clearInterval(clock);
    document.removeEventListener('visibilitychange', draw);
    show(null);
    badge?.stop();
    lock(false);
    if (found) root.classList.remove('crm-root', 'crm-system-font');
    else root.remove();
  };
}
