import { messages } from '../../../text/messages.ts';
import { useWords } from '../../../text/text.tsx';
import type { BrandShown } from '../queries.ts';
import type { Channel } from '../starters.ts';
import { CallFrame, EntryFrame } from './call-frame.tsx';
import { MailFrame, MailInbox, MailText } from './mail-frame.tsx';
import { PushFrame } from './push-frame.tsx';
import { SiteFrame } from './site-frame.tsx';
import { SmsFrame } from './sms-frame.tsx';

/** The rendered template for one player in one language. */
export interface ShownMessage {
  language: string;
  content: Readonly<Record<string, unknown>>;
  parts?: number;
  encoding?: 'gsm7' | 'ucs2';
  units?: number;
  beyond_gsm?: readonly string[];
}

export type FrameName =
  | 'desktop'
  | 'phone'
  | 'inbox'
  | 'plain'
  | 'modal'
  | 'banner'
  | 'hint'
  | 'list'
  | 'opened'
  | 'lock'
  | 'call'
  | 'entry'
  | 'html';

/** Returns the frames that can show a message of the channel, the most useful first. @param event of a site message */
export function framesOf(channel: Channel, event: string): readonly FrameName[] {
  switch (channel) {
    case 'email':
      return ['desktop', 'phone', 'inbox', 'plain'];
    case 'site':
      if (event === 'message') return ['modal'];
      return event === 'shoutout' ? ['banner'] : ['opened', 'list', 'hint'];
    case 'push':
      return ['lock', 'desktop', 'opened'];
    case 'sms':
      return ['phone'];
    case 'webhook':
    case 'operator':
      return ['call'];
    case 'telephone':
    case 'post_mail':
      return ['entry'];
    case 'block':
      return ['html'];
  }
}

interface FrameProps {
  of: FrameName;
  channel: Channel;
  shown: ShownMessage;
  settings: BrandShown;
  isDark: boolean;
}

/** A message as the recipient sees it. */
export function Frame({ of, channel, shown, settings, isDark }: FrameProps) {
  const { preview } = useWords(messages);
  const text = (name: string) => String(shown.content[name] ?? '');
  const { name, settings: brand, email } = settings;
  const sender = brand.display_name || name;
  switch (channel) {
    case 'email': {
      const mail = { subject: text('subject'), html: text('html'), text: text('text') };
      if (of === 'plain') return <MailText text={mail.text} isDark={isDark} />;
      if (of === 'inbox') return <MailInbox mail={mail} sender={sender} isDark={isDark} />;
      return (
        <MailFrame
          mail={mail}
          sender={sender}
          address={email?.from_address ?? ''}
          language={shown.language}
          isPhone={of === 'phone'}
          isDark={isDark}
        />
      );
    }
    case 'site':
      return <SiteFrame content={shown.content} settings={settings} of={of} isDark={isDark} />;
    case 'push':
      if (of === 'opened') return <SiteFrame content={shown.content} settings={settings} of={of} isDark={isDark} />;
      return (
        <PushFrame
          title={text('title')}
          body={text('preview_text')}
          image={text('image_url')}
          sender={sender}
          isPhone={of === 'lock'}
          isDark={isDark}
        />
      );
    case 'sms':
      return <SmsFrame shown={shown} sender={sender} isDark={isDark} />;
    case 'webhook':
      return <CallFrame address={text('url')} body={text('body')} isDark={isDark} />;
    case 'operator':
      return (
        <CallFrame
          address=""
          body={JSON.stringify({ title: text('title'), text: text('text'), data: readJson(text('data')) })}
          isDark={isDark}
        />
      );
    case 'telephone':
    case 'post_mail':
      return <EntryFrame list={text('list')} note={text('note')} isDark={isDark} />;
    case 'block':
      return (
        <MailFrame
          mail={{ subject: '', html: text('body'), text: '' }}
          sender=""
          address=""
          language={shown.language}
          isPhone={false}
          isDark={isDark}
          {...(/<mj-/i.test(text('body')) && { instead: preview.noMjmlBlock })}
        />
      );
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
