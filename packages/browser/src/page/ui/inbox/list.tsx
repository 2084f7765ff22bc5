import type { Message } from '../../client/store.ts';
import { IconButton, Mark } from '../icon-button.tsx';
import { Picture, Times } from '../message/message.tsx';
import type { View } from '../view.ts';
import { Questions } from './questions.tsx';

export function List({ view }: { view: View }) {
  const { state, actions, text } = view;
  const entries = state.inbox;
  const loading = state.phase === 'loading';
  return (
    <div class="crm-scroll" key="list">
      <Questions view={view} words="questionsTop" />
      {entries.length > 0 && (
        <ul class="crm-list">
          {entries.map((message) => (
            <Entry key={message.MessageId} message={message} view={view} />
          ))}
        </ul>
      )}
      {entries.length === 0 && <Nothing view={view} />}
      {state.hasMore && entries.length > 0 && (
        <button type="button" class="crm-cta crm-cta-2 crm-more" onclick={() => actions.loadMore()}>
          {text(loading ? 'loading' : 'loadMore')}
        </button>
      )}
    </div>
  );
}

/** The whole entry opens its message: the area of its one button reaches over it, but for the one that deletes. */
function Entry({ message, view }: { message: Message; view: View }) {
  const { actions, text, ask } = view;
  const { MessageId, Title, PreviewText, IsRead } = message;
  const title = `crm-entry-${MessageId}`;
  return (
    <li class={IsRead ? 'crm-entry' : 'crm-entry crm-entry-unread'}>
      <Picture address={message.ImageUrl} class="crm-thumb" />
      <div class="crm-words">
        <h3 class="crm-entry-title" id={title} dir="auto">
          {!IsRead && <span class="crm-dot" role="img" aria-label={text('unread')} />}
          {Title}
        </h3>
        <p class="crm-preview" dir="auto">
          {PreviewText}
        </p>
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
      <IconButton name="delete" view={view} of={title} onPress={() => ask(MessageId)} />
    </li>
  );
}

/** Said once it is known: of a list that is on its way, only that it is. */
function Nothing({ view: { state, text } }: { view: View }) {
  const words = { loading: 'loading', signed_out: 'signedOut' }[state.phase as string] ?? 'inboxEmpty';
  return (
    <div class="crm-empty" role="status">
      <Mark />
      <p>{text(words)}</p>
    </div>
  );
}
