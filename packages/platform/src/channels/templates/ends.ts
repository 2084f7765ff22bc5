import { escapeHtml } from './liquid.ts';
import { plainPart } from './plain-part.ts';
import type { SafeHtml } from './safe-html.ts';

/*
 * What marketing must end with, unless the author placed it. A player reads one part of a message: the HTML or the plain part of an
 * e-mail, and one branch of a condition. So this is decided for each rendered part, not for the template: a variable that another
 * part or branch uses does not count.
 */
export interface Ends {
  /** Null if the brand has none for this player, or the message needs none. */
  responsible_gambling: SafeHtml | null;
  /** Null if the message needs no link. */
  unsubscribe: { url: string; word: string } | null;
  /**
   * Whether the author used the responsible gambling text anywhere. If not, it is appended without looking for it, because a text as
   * short as `18+` may occur by chance.
   */
  uses_responsible_gambling: boolean;
}

/** The ends that a plain text does not contain. Pure. */
export function missingInText(ends: Ends, text: string): Ends {
  const { responsible_gambling: footer, unsubscribe, uses_responsible_gambling } = ends;
  const isPlaced = footer !== null && uses_responsible_gambling && oneLine(text).includes(oneLine(footer.text));
  return {
    uses_responsible_gambling,
    responsible_gambling: isPlaced ? null : footer,
    unsubscribe: unsubscribe !== null && text.includes(unsubscribe.url) ? null : unsubscribe,
  };
}

/**
 * The ends that sanitized HTML or MJML does not show. Texts are compared without tags, because the sanitizer may write tags differently.
 * Pure.
 */
export function missingInMarkup(ends: Ends, markup: string): Ends {
  const { responsible_gambling: footer, unsubscribe, uses_responsible_gambling } = ends;
  if (unsubscribe === null && (footer === null || !uses_responsible_gambling)) return ends;
  const missing = missingInText(ends, plainPart(markup));
  // Pictures and items of a navigation can also be links. The plain part does not contain theirs.
  const isLinked = unsubscribe !== null && markup.includes(`href="${escapeHtml(unsubscribe.url)}`);
  // A text that is only a picture has no plain form.
  const isPicture = footer !== null && oneLine(footer.text) === '' && !markup.includes(footer.html);
  return {
    uses_responsible_gambling,
    responsible_gambling: isPicture ? footer : missing.responsible_gambling,
    unsubscribe: isLinked ? null : missing.unsubscribe,
  };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
