import type { FieldError } from '@croupier/contracts';
import { halfCharacter } from '../notifications/content.ts';
import { cleanHtml } from '../notifications/html.ts';
import { plainText } from '../notifications/plain-text.ts';
import { type Ends, missingInMarkup, missingInText } from './ends.ts';
import { escapeHtml, TemplateFault } from './liquid.ts';
import { cleanMjml, compileMjml, longestHtml } from './mjml.ts';
import { plainPart } from './plain-part.ts';

/** The content of an e-mail, ready to be sent: a whole HTML document and its plain part. */
export interface EmailContent {
  subject: string;
  html: string;
  text: string;
}

/** The parts of an e-mail as an author writes them; `mjml` takes precedence over `html`. An empty part is unused. */
export interface EmailParts {
  subject: string;
  /** The preview text that mail programs show after the subject. */
  preheader: string;
  mjml: string;
  /** A fragment, which is placed in a simple frame. */
  html: string;
  /** The plain part. If empty, it is generated from the other part. */
  text: string;
}

export interface EmailFooter extends Ends {
  /** The language of the text, for screen readers. */
  language: string;
}

export const longestSubject = 300;
export const longestText = 200_000;

/** Sanitizes and compiles an e-mail. Pure. A value cannot add a tag, because values are escaped first. */
export function composeEmail(
  parts: EmailParts,
  { language, ...ends }: EmailFooter,
): { content: EmailContent; errors: FieldError[] } {
  const errors = Object.entries(parts).flatMap(([name, value]) => halfCharacter(name, value));
  // A line break in a subject would start another header.
  const subject = plainText(parts.subject).replace(/\s+/g, ' ');
  const written = parts.mjml.trim() === '' ? frameOf(cleanHtml(parts.html), parts.preheader) : cleanMjml(parts.mjml);
  const withFooter = withLanguage(withEnd(written, missingInMarkup(ends, written)), language);
  const plain = parts.text.trim() || plainPart(written);
  const text = [plain, ...textEnd(missingInText(ends, plain))].join('\n\n');
  if (subject === '') errors.push({ path: 'subject', rule: 'required', message: 'subject is empty' });
  if (subject.length > longestSubject)
    errors.push({ path: 'subject', rule: 'max_length', message: `subject has more than ${longestSubject} characters` });
  if (text.length > longestText)
    errors.push({
      path: 'text',
      rule: 'max_length',
      message: `the plain part has more than ${longestText} characters`,
    });
  const isEmpty = parts.mjml.trim() === '' && cleanHtml(parts.html).trim() === '';
  if (isEmpty) errors.push({ path: 'mjml', rule: 'required', message: 'mjml and html are both empty' });
  const html = errors.length > 0 ? '' : compiled(withFooter, errors);
  return { content: { subject, html, text }, errors };
}

function compiled(mjml: string, errors: FieldError[]): string {
  try {
    return compileMjml(mjml);
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error;
    errors.push({ path: 'mjml', rule: 'mjml', message: error.message });
    return '';
  }
}

/** Checks an e-mail that was already composed: its document stays unchanged. */
export function checkEmail({ subject: given, html, text }: EmailContent): FieldError[] {
  const content = { subject: given, html, text };
  const errors = Object.entries(content).flatMap(([name, value]) => halfCharacter(name, value));
  const subject = plainText(content.subject).replace(/\s+/g, ' ');
  if (subject === '' || subject !== content.subject)
    errors.push({ path: 'subject', rule: 'plain', message: 'subject must be one line of plain text' });
  if (subject.length > longestSubject)
    errors.push({ path: 'subject', rule: 'max_length', message: `subject has more than ${longestSubject} characters` });
  for (const [path, most] of [
    ['html', longestHtml],
    ['text', longestText],
  ] as const)
    if (content[path].length > most)
      errors.push({ path, rule: 'max_length', message: `${path} has more than ${most} characters` });
  if (content.html.trim() === '' && content.text.trim() === '')
    errors.push({ path: 'html', rule: 'required', message: 'html and text are both empty' });
  return errors;
}

function frameOf(html: string, preheader: string): string {
  const preview =
    preheader.trim() === '' ? '' : `<mj-head><mj-preview>${escapeHtml(preheader.trim())}</mj-preview></mj-head>`;
  return `<mjml>${preview}<mj-body>${section(html, 'font-size="15px" line-height="1.5"')}</mj-body></mjml>`;
}

function section(html: string, style: string): string {
  return `<mj-section><mj-column><mj-text ${style}>${html}</mj-text></mj-column></mj-section>`;
}

const small = 'font-size="12px" line-height="1.5" color="#666666"';

function withEnd(mjml: string, { responsible_gambling: footer, unsubscribe }: Ends): string {
  const link = unsubscribe && `<a href="${escapeHtml(unsubscribe.url)}">${escapeHtml(unsubscribe.word)}</a>`;
  const end = [footer?.html, link].filter((part) => part != null);
  const at = mjml.lastIndexOf('</mj-body>');
  if (end.length === 0 || at < 0) return mjml;
  return `${mjml.slice(0, at)}${section(end.join('<br />'), small)}${mjml.slice(at)}`;
}

function withLanguage(mjml: string, language: string): string {
  return mjml.replace(/^\s*<mjml(?![^>]*\blang=)/, `<mjml lang="${escapeHtml(language)}"`);
}

function textEnd({ responsible_gambling: footer, unsubscribe }: Ends): string[] {
  return [
    ...(footer === null ? [] : [footer.text]),
    ...(unsubscribe === null ? [] : [`${unsubscribe.word}: ${unsubscribe.url}`]),
  ];
}
