import type { Message } from '../../client/store.ts';
import type { Child } from '../draw/element.ts';
import { Mark } from '../icon-button.tsx';
import type { View } from '../view.ts';
import { shownTime } from './dates.ts';
import { Html } from './html.tsx';
import { safeImage, safeLink } from './links.ts';

/** A picture. Nothing is shown if there is no address, if it cannot be loaded, or if the page's policy forbids it. */
export function Picture({ address, class: name }: { address: string; class: string }) {
  const src = safeImage(address);
  return (
    src && (
      <img
        class={name}
        src={src}
        alt=""
        loading="lazy"
        onerror={({ target }) => {
          (target as HTMLElement).style.display = 'none';
        }}
      />
    )
  );
}

/** A picture of fixed size. If there is none, it is our logo, so that the text of all rows is aligned. */
export function Thumb({ address }: { address: string }) {
  return (
    <span class="crm-thumb">
      <Mark />
      <Picture address={address} class="crm-thumb-image" />
    </span>
  );
}

export function Times({ message, text }: { message: Message; text: View['text'] }) {
  const line = (name: string, key: string, time: string) => {
    const shown = shownTime(time);
    return (
      shown && (
        <span class={name} dir="auto">
          <span class="crm-label">{text(key)}</span>{' '}
          <time dir="auto" datetime={`${time.replace(' ', 'T')}Z`} title={shown.exact}>
            {shown.near}
          </time>
        </span>
      )
    );
  };
  return (
    <p class="crm-times">
      {line('crm-date', 'recieved', message.Date)}
      {line('crm-valid', 'validUntil', message.Expires)}
    </p>
  );
}

interface PartProps {
  message: Message;
  view: View;
  /** Called when the player has followed a button or link, or pressed the first button without a link. */
  onDone(): void;
  /** Called when the player has pressed a second button without a link: "No, thanks". */
  onDismiss(): void;
}

/** The two buttons. Links open in the same tab. */
function Buttons({ message, onDone, onDismiss }: Omit<PartProps, 'view'>) {
  const both = [
    [message.CTAButtonText, message.CTAButtonLink, 'crm-cta', onDone],
    [message.CTAButton2Text, message.CTAButton2Link, 'crm-cta crm-cta-2', onDismiss],
  ] as const;
  const shown = both.map(([words, link, name, onPress]) => {
    if (!words.trim()) return undefined;
    const href = safeLink(link);
    const Tag = href ? 'a' : 'button';
    return (
      <Tag type={!href && 'button'} class={name} href={href} onclick={href ? onDone : onPress}>
        {words}
      </Tag>
    );
  });
  return shown.some(Boolean) && <div class="crm-buttons">{shown}</div>;
}

/** The content of a message below its title. */
export function Body({ message, view, onDone, onDismiss }: PartProps) {
  const { FooterText } = message;
  const terms = <Html class="crm-terms" html={FooterText} trust={view.trust} />;
  const buttons = <Buttons message={message} onDone={onDone} onDismiss={onDismiss} />;
  return (
    <div class="crm-body">
      <Html class="crm-html" html={message.Message} trust={view.trust} onFollow={onDone} />
      {view.inbox.termsAboveButtons ? [terms, buttons] : [buttons, terms]}
    </div>
  );
}

interface WholeProps extends PartProps {
  /** The id of its title is `<name>-title`. */
  name: string;
  /** Shown between title and text. */
  above?: Child;
  /** Shown after everything else. */
  below?: Child;
}

/** A whole message on its own surface, which is the modal or the panel. */
export function Whole({ message, view, name, above, below, onDone, onDismiss }: WholeProps) {
  return (
    <div class="crm-scroll crm-detail" tabindex="0">
      <Picture address={message.ImageUrl} class="crm-image" />
      <div class="crm-content">
        <h2 id={`${name}-title`} class="crm-heading" dir="auto" tabindex="-1" autofocus="">
          {message.Title}
        </h2>
        {above}
        <Body message={message} view={view} onDone={onDone} onDismiss={onDismiss} />
      </div>
      {below}
    </div>
  );
}
