import type { Message } from '../../client/store.ts';
import { defaultTexts } from '../../config/texts.ts';
import type { Child } from '../draw/element.ts';
import { IconButton, Mark } from '../icon-button.tsx';
import { Thumb, Times } from '../message/message.tsx';
import type { View } from '../view.ts';
import { Questions } from './questions.tsx';

export function List({ view }: { view: View }) {
  const { state, text, isPaging, page } = view;
  const isEmpty = !state.inbox.length;
  return (
    <div class="crm-scroll" key="list">
      <Questions view={view} words="questionsTop" />
      {isEmpty ? <Nothing view={view} /> : <ul class="crm-list">{entries(view)}</ul>}
      {state.hasMore && !isEmpty && (
        <button type="button" class="crm-cta crm-cta-2 crm-more" aria-disabled={isPaging && 'true'} onclick={page}>
          {text(isPaging ? 'loading' : 'loadMore')}
        </button>
      )}
    </div>
  );
}

/**
 * Reuses entries of the previous drawing whose messages are equal. So a new message in a list of a thousand draws only
 * one entry (20 ms instead of 360, on a busy machine). Messages are compared by content, because the store creates them
 * again.
 */
function entries(view: View): Child {
  const now: Record<string, Child> = {};
  for (const message of view.state.inbox) {
    const Row = view.state.removed.includes(message.MessageId) ? Removed : Entry;
    const says = JSON.stringify(message) + (Row === Removed);
    now[says] = view.entryCache.drawn?.[says] ?? <Row key={message.MessageId} message={message} view={view} />;
  }
  view.entryCache.drawn = now;
  return Object.values(now);
}

/**
 * A click anywhere on the entry opens its message, because the area of one button covers the entry. Only the delete
 * button is not covered. The entry depends only on the message and on values that do not change while the screen is
 * mounted.
 */
function Entry({ message, view }: { message: Message; view: View }) {
  const { actions, text, ask } = view;
  const { MessageId, Title, PreviewText, IsRead } = message;
  const remove = asksFirst(text) ? ask : actions.removeLater;
  const title = `crm-entry-${MessageId}`;
  return (
    <li class={IsRead ? 'crm-entry' : 'crm-entry crm-entry-unread'} animatesLeaving>
      <Thumb address={message.ImageUrl} />
      <div class="crm-words">
        <h3 class="crm-entry-title" id={title} dir="auto">
          {!IsRead && (
            <span class="crm-dot" role="img" aria-label={text('unread')}>
              ●
            </span>
          )}
          {Title}
        </h3>
        <p class="crm-preview" dir="auto">
          {PreviewText}
        </p>
        <div class="crm-entry-foot">
          <Times message={message} text={text} />
          <button
            type="button"
            class="crm-read-more"
            id={`crm-open-${MessageId}`}
            aria-describedby={title}
            onclick={() => actions.open(MessageId)}
          >
            {text('readMore')}
          </button>
        </div>
      </div>
      <IconButton name="delete" view={view} of={title} onPress={() => remove(MessageId)} />
    </li>
  );
}

/**
 * Returns whether the page has its own words for the question, but not for Undo. Undo would then be in another language
 * than the page, so the question is asked instead.
 */
function asksFirst(text: View['text']): boolean {
  const isDefault = (key: string) => text(key) === defaultTexts[key];
  return isDefault('undo') && !isDefault('deleteMessagePrompt');
}

/** How long the player can restore a message. */
const undoSeconds = 10;

/**
 * The row of a message that the player has deleted and can restore. The time does not count while the keyboard's focus is
 * on Undo. Opening a message or closing the inbox ends it (client/actions.ts).
 */
function Removed({ message: { MessageId, Title }, view: { actions, text } }: { message: Message; view: View }) {
  const words = `crm-removed-${MessageId}`;
  return (
    <li class="crm-entry crm-removed" animatesLeaving>
      <p class="crm-words crm-preview" id={words}>
        {text('deleted')} <span dir="auto">{Title}</span>
      </p>
      <button
        type="button"
        class="crm-undo"
        id={`crm-undo-${MessageId}`}
        aria-describedby={words}
        onclick={() => actions.restore(MessageId)}
        put={(button: HTMLElement) => {
          let left = undoSeconds;
          const clock = setInterval(() => {
            if (!button.matches(':focus-visible')) left--;
            if (left && button.isConnected) return;
            clearInterval(clock);
            if (button.isConnected) actions.finishRemoving([MessageId]);
          }, 1_000);
        }}
      >
        {text('undo')}
      </button>
    </li>
  );
}

/**
 * Shown if there is no message. It says "No messages" only if that is certain. If messages cannot be shown, it does not
 * state the reason, because the player may be excluded.
 */
function Nothing({ view: { state, text } }: { view: View }) {
  if (state.phase === 'loading') return <Skeletons words={text('loading')} />;
  const isEmpty = state.phase === 'ready';
  return (
    <div class="crm-empty" role="status">
      <Mark />
      <p dir="auto">{text(isEmpty ? 'inboxEmpty' : 'load_failed')}</p>
      {isEmpty && (
        <p class="crm-preview" dir="auto">
          {text('inboxEmptyHint')}
        </p>
      )}
    </div>
  );
}

/** Gray placeholder rows while the first list loads, so that nothing jumps when it arrives. */
function Skeletons({ words }: { words: string }) {
  return (
    <div class="crm-skeletons" role="status" aria-label={words}>
      {[1, 2, 3, 4].map((row) => (
        <div class="crm-entry" key={`skeleton-${row}`}>
          <span class="crm-thumb" />
          <span class="crm-bars" />
        </div>
      ))}
    </div>
  );
}
