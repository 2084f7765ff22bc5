import type { Message } from '../../client/store.ts';
import { timeOf } from '../../client/time.ts';
import { defaultTexts } from '../../config/texts.ts';
import type { Child } from '../draw/element.ts';
import { IconButton, Mark } from '../icon-button.tsx';
import { startOfDay } from '../message/dates.ts';
import { Thumb, Times } from '../message/message.tsx';
import type { View } from '../view.ts';
import { Questions } from './questions.tsx';
import { swipe } from './swipe.ts';

export function List({ view }: { view: View }) {
  const { state, text, isPaging, page, listed, unreadOnly } = view;
  const isEmpty = !listed.length;
  return (
    <div class="crm-scroll" key="list">
      <div class="crm-bar">
        <Questions view={view} words="questionsTop" />
        {(unreadOnly || state.unread > 0) && (
          <button type="button" class="crm-filter" aria-pressed={`${unreadOnly}`} onclick={view.toggleUnreadOnly}>
            {text('unreadOnly')}
          </button>
        )}
      </div>
      {isEmpty ? <Nothing view={view} /> : days(view)}
      {state.hasMore && !isEmpty && (
        <button type="button" class="crm-cta crm-cta-2 crm-more" aria-disabled={isPaging && 'true'} onclick={page}>
          {text(isPaging ? 'loading' : 'loadMore')}
        </button>
      )}
    </div>
  );
}

/**
 * Returns up to three groups of messages, each with its heading: those of today, those of yesterday, and earlier ones.
 *
 * Reuses the entries of the previous drawing whose messages have not changed. So a new message in a list of a thousand
 * draws only one entry (20 ms instead of 360, on a busy machine). Messages are compared by content, because the store
 * replaces the objects.
 */
function days(view: View): Child {
  const now: Record<string, Child> = {};
  const rows: Record<string, Child[]> = { today: [], yesterday: [], earlier: [] };
  const [today, yesterday] = [startOfDay(0), startOfDay(1)];
  for (const message of view.listed) {
    const Row = view.state.removed.includes(message.MessageId) ? Removed : Entry;
    const says = JSON.stringify(message) + (Row === Removed);
    now[says] = view.entryCache.drawn?.[says] ?? <Row key={message.MessageId} message={message} view={view} />;
    const at = timeOf(message.Date);
    rows[at >= today ? 'today' : at >= yesterday ? 'yesterday' : 'earlier']?.push(now[says]);
  }
  view.entryCache.drawn = now;
  return Object.entries(rows).map(
    ([day, entries]) =>
      entries.length > 0 && (
        <div key={day}>
          <h3 class="crm-day" id={`crm-${day}`}>
            {view.text(day)}
          </h3>
          <ul class="crm-list" aria-labelledby={`crm-${day}`}>
            {entries}
          </ul>
        </div>
      ),
  );
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
    <li class={IsRead ? 'crm-entry' : 'crm-entry crm-entry-unread'} animatesLeaving {...swipe(() => remove(MessageId))}>
      <Thumb address={message.ImageUrl} />
      <div class="crm-words">
        <h4 class="crm-entry-title" id={title} dir="auto">
          {!IsRead && (
            <span class="crm-dot" role="img" aria-label={text('unread')}>
              ●
            </span>
          )}
          {Title}
        </h4>
        <div class="crm-entry-text">
          <p class="crm-preview" dir="auto">
            {PreviewText}
          </p>
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
        <Times message={message} text={text} />
      </div>
      <IconButton name="delete" view={view} of={title} onPress={() => remove(MessageId)} />
    </li>
  );
}

/**
 * Returns whether the list asks before it deletes a message, instead of showing Undo. It does so if the page sets the text of the
 * question but not that of Undo, because Undo would be in another language than the page.
 */
function asksFirst(text: View['text']): boolean {
  const isDefault = (key: string) => text(key) === defaultTexts[key];
  return isDefault('undo') && !isDefault('deleteMessagePrompt');
}

/** How long the player can restore a message. */
const undoSeconds = 10;

/**
 * The row of a message that the player has deleted and can restore. The time stops while the keyboard focus is on Undo.
 * If the player opens a message or closes the inbox, the deletion becomes final immediately (client/actions.ts).
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
function Nothing({ view: { state, text, isPaging, unreadOnly } }: { view: View }) {
  if (state.phase === 'loading' || isPaging) return <Skeletons words={text('loading')} />;
  if (unreadOnly)
    return (
      <p class="crm-empty" role="status" dir="auto">
        {text('unreadEmpty')}
      </p>
    );
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
