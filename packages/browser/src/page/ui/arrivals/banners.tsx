import type { Message } from '../../client/store.ts';
import type { Child } from '../draw/element.ts';
import { CloseButton } from '../icon-button.tsx';
import { Body, Thumb } from '../message/message.tsx';
import { Problem } from '../problem.tsx';
import type { View } from '../view.ts';

const hintSeconds = 9;

/**
 * Banners in a corner of the page, which block nothing. The region exists from the start. Screen readers announce
 * (politely) changes in a region that they know, but not a region that is added together with its content.
 */
export function Banners({ view }: { view: View }) {
  const { state, inbox, shoutout, hint } = view;
  return (
    <div class="crm-banners" role="status">
      {!state.inboxOpen && <Problem view={view} />}
      {inbox.enable && hint && <Hint key={hint.MessageId} message={hint} view={view} />}
      {shoutout && <Shoutout key={shoutout.MessageId} message={shoutout} view={view} />}
    </div>
  );
}

interface Props {
  message: Message;
  view: View;
}

/**
 * A message with the Event `shoutout`. It stays until the player closes it, so that a player who looks away does not
 * miss it.
 */
function Shoutout({ message, view }: Props) {
  return (
    <Banner message={message} view={view} name="crm-shoutout">
      <Body
        message={message}
        view={view}
        onDone={() => view.actions.follow(message.MessageId)}
        onDismiss={() => view.actions.close(message.MessageId)}
      />
    </Banner>
  );
}

/**
 * The hint of an inbox message with DisplayType push. The message stays in the inbox, so the hint disappears
 * automatically after some seconds. Time does not count while the pointer or the focus is on the hint, or while the tab
 * is hidden. The time is not measured by an animation, because that would end immediately on a page without animations
 * (`* { animation: none !important }`).
 */
function Hint({ message, view }: Props) {
  const { actions, text } = view;
  return (
    <Banner
      message={message}
      view={view}
      name="crm-hint"
      put={(element) => {
        let left = hintSeconds;
        const clock = setInterval(() => {
          if (!document.hidden && !element.matches(':hover, :focus-within')) left--;
          if (left && element.isConnected) return;
          clearInterval(clock);
          if (element.isConnected) actions.hide(message.MessageId);
        }, 1_000);
      }}
    >
      <p class="crm-preview" dir="auto">
        {message.PreviewText}
      </p>
      <button type="button" class="crm-read-more" onclick={() => actions.open(message.MessageId)}>
        {text('readMore')}
      </button>
    </Banner>
  );
}

interface BannerProps extends Props {
  name: string;
  put?(element: HTMLElement): void;
  children?: Child;
}

function Banner({ message, view, name, put, children }: BannerProps) {
  const title = `${name}-title`;
  const close = () => view.actions.close(message.MessageId);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is only for forms, and a dialog is not part of the page
    <section
      class={`crm-banner ${name}`}
      animatesLeaving
      role="group"
      aria-labelledby={title}
      put={put}
      onkeydown={({ key }) => {
        if (key === 'Escape') close();
      }}
    >
      {message.ImageUrl && <Thumb address={message.ImageUrl} />}
      <div class="crm-words">
        <h2 id={title} class="crm-banner-title" dir="auto">
          {message.Title}
        </h2>
        {children}
      </div>
      <CloseButton view={view} onPress={close} />
    </section>
  );
}
