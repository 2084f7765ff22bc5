import { Text } from '@mantine/core';
import { useCallback, useEffect, useRef } from 'react';
import { messages } from '../../../text/messages.ts';
import { useWords } from '../../../text/text.tsx';
import { withOwnPictures } from '../media/queries.ts';

export interface Mail {
  subject: string;
  html: string;
  text: string;
}

interface MailFrameProps {
  mail: Mail;
  sender: string;
  address: string;
  language: string;
  isPhone: boolean;
  isDark: boolean;
  /** Shown instead of the document. */
  instead?: string;
}

/** An e-mail, opened in a mail program. */
export function MailFrame({ mail, sender, address, language, isPhone, isDark, instead }: MailFrameProps) {
  const { preview } = useWords(messages);
  return (
    <div className={`device ${isPhone ? 'device-phone' : 'device-desktop'} ${isDark ? 'device-dark' : ''}`}>
      {sender !== '' && (
        <div className="mail-head">
          <div className="mail-subject" dir="auto">
            {mail.subject}
          </div>
          <div className="mail-from">
            <b>{sender}</b> {address !== '' && <span>&lt;{address}&gt;</span>}
          </div>
        </div>
      )}
      {instead === undefined ? (
        <MailDocument html={mail.html} language={language} title={preview.title} isDark={isDark} />
      ) : (
        <Text size="sm" p="md">
          {instead}
        </Text>
      )}
    </div>
  );
}

/** Imitates mail programs whose dark mode ignores the styles of the e-mail. They invert colors, but not images. */
const inverted =
  'html { filter: invert(1) hue-rotate(180deg); background: #fff } img, [background] { filter: invert(1) hue-rotate(180deg) }';

interface MailDocumentProps {
  html: string;
  language: string;
  title: string;
  isDark: boolean;
}

/**
 * Shows the document of an e-mail in a frame with its own policy, which forbids scripts (console/page/page-routes.ts of
 * the platform).
 */
export function MailDocument({ html, language, title, isDark }: MailDocumentProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const write = useCallback(() => {
    const inside = frame.current?.contentDocument;
    if (!inside?.documentElement || !inside.URL.includes('/frames/mail')) return;
    const top = inside.scrollingElement?.scrollTop ?? 0;
    inside.documentElement.lang = language;
    inside.documentElement.innerHTML = withOwnPictures(html);
    if (isDark) {
      const style = inside.createElement('style');
      style.textContent = inverted;
      inside.head.append(style);
    }
    // Links lead to pages of the operator, which do not exist here.
    for (const link of inside.querySelectorAll('a[href]')) {
      link.setAttribute('title', link.getAttribute('href') ?? '');
      link.setAttribute('target', '_blank');
    }
    inside.scrollingElement?.scrollTo({ top });
  }, [html, language, isDark]);
  useEffect(write, [write]);
  return (
    <iframe
      ref={frame}
      className="mail-document"
      src="/console/frames/mail"
      sandbox="allow-same-origin"
      title={title}
      onLoad={write}
    />
  );
}

/** Shows the e-mail in an inbox, among placeholder lines. */
export function MailInbox({ mail, sender, isDark }: { mail: Mail; sender: string; isDark: boolean }) {
  const { preview } = useWords(messages);
  const bars = [70, 55, 62, 48];
  return (
    <div className={`device device-desktop mail-list ${isDark ? 'device-dark' : ''}`}>
      <div className="mail-row mail-unread">
        <span className="mail-dot" />
        <b className="mail-sender">{sender}</b>
        <span className="mail-line" dir="auto">
          <b>{mail.subject}</b> <span className="mail-snippet">{snippetOf(mail)}</span>
        </span>
        <span className="mail-time">{preview.now}</span>
      </div>
      {bars.map((width) => (
        <div className="mail-row" key={width} aria-hidden>
          <span className="mail-dot" />
          <span className="mail-sender">
            <span className="bar" />
          </span>
          <span className="mail-line">
            <span className="bar" style={{ width: `${width}%` }} />
          </span>
        </div>
      ))}
    </div>
  );
}

const longestSnippet = 140;

/**
 * Returns the text that inboxes show after the subject. It is the preheader, which comes first in the document, or the
 * first words if there is no preheader.
 */
export function snippetOf({ html, text }: Mail): string {
  // The console's policy refuses inline styles in HTML, even in a document that is never displayed.
  const unstyled = html.replace(/<(style|title)[\s\S]*?<\/\1>|\sstyle="[^"]*"/gi, '');
  const read = new DOMParser().parseFromString(unstyled, 'text/html');
  const words = (read.body.textContent ?? '').replace(/\s+/g, ' ').trim();
  return (words || text.replace(/\s+/g, ' ')).slice(0, longestSnippet);
}

export function MailText({ text, isDark }: { text: string; isDark: boolean }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <pre className={`device device-desktop plain-part ${isDark ? 'device-dark' : ''}`} tabIndex={0} dir="auto">
      {text}
    </pre>
  );
}
