import { valueOfText } from '../../player/message-values.ts';

/** The texts of the fields in one language. `data` and `body` of webhooks are objects. */
export type Fields = Readonly<Record<string, unknown>>;

/** A template that is being edited. */
export interface Draft {
  readonly name: string;
  readonly purpose: 'marketing' | 'service';
  readonly content: Readonly<Record<string, Fields>>;
}

/** Sets a field. An empty field is left out, so that another language or the default applies. */
export function withField(draft: Draft, language: string, name: string, value: unknown): Draft {
  const { [name]: _, ...others } = draft.content[language] ?? {};
  const fields = value === '' || value === undefined ? others : { ...draft.content[language], [name]: value };
  return { ...draft, content: { ...draft.content, [language]: fields } };
}

/** Adds a language. It starts with the text of another language. */
export function withLanguage(draft: Draft, language: string, from: string): Draft {
  return { ...draft, content: { ...draft.content, [language]: { ...draft.content[from] } } };
}

export function withoutLanguage(draft: Draft, language: string): Draft {
  const { [language]: _, ...content } = draft.content;
  return { ...draft, content };
}

/**
 * Converts values to the form that the preview expects: 25 for `event.amount` becomes {event: {amount: '25'}}, and a JSON list
 * becomes a list. Leaves out empty values and values inside lists.
 */
export function causeOf(values: Readonly<Record<string, string>>): Record<string, Record<string, unknown>> {
  const cause: Record<string, Record<string, unknown>> = {};
  for (const [name, value] of Object.entries(values)) {
    const path = name.split('.');
    if (value === '' || path.length < 2 || name.includes('[')) continue;
    let place: Record<string, unknown> = cause;
    for (const key of path.slice(0, -1)) {
      const inner = place[key];
      place[key] = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner : {};
      place = place[key] as Record<string, unknown>;
    }
    const last = path.at(-1) ?? '';
    if (typeof place[last] !== 'object') place[last] = valueOfText(value);
  }
  return cause;
}

/** Returns whether the preview needs a value for a variable. */
export const isOfCause = (name: string): boolean => /^(event|campaign|offer)\.[^[]+$/.test(name);

/** The form of BCP 47 codes that templates accept. */
export const languageCode = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;
