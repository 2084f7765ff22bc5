import { nameOf } from '../text/codes.ts';

/** Codes that the operator sends in events, such as `Approved`, begin with a capital letter. */
const operatorCode = /^[A-Z][a-z]+(?:[A-Z][a-z]+)*$/;

/** Returns the word for a value of an event, such as `deposit` for `Credit`; undefined if it has none. Pure. */
export function eventWord(value: string, language: 'en' | 'de'): string | undefined {
  return operatorCode.test(value) ? nameOf(value)?.[language === 'de' ? 1 : 0] : undefined;
}

/**
 * Returns the English sentence of a rule with words instead of the codes of events. The platform writes the codes, because an
 * operator may send others. A German sentence contains the words from the beginning (german.ts). Pure.
 *
 * @param rule with or without errors
 * @param isAboutEvent true if the fields of the rule are those of an event, not those of a player
 */
export function withEventWords(sentence: string, rule: unknown, isAboutEvent = false): string {
  const codes = [...new Set(eventValues(rule, isAboutEvent))];
  return codes.reduce((text, code) => {
    const word = eventWord(code, 'en');
    if (word === undefined) return text;
    // A value follows the words of its operator, or another value of a list. So titles and names do not change.
    const place = new RegExp(`(?<= is(?: not)? | one of | none of |, )${code}(?=[,.)]|$| and | or | is | \\(or )`, 'g');
    return text.replace(place, () => word);
  }, sentence);
}

/** The texts that conditions on events compare with. */
function eventValues(node: unknown, isAboutEvent: boolean): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { rules, match, value } = node as { rules?: unknown; match?: unknown; value?: unknown };
  if (Array.isArray(rules)) return rules.flatMap((rule) => eventValues(rule, isAboutEvent));
  if (match !== undefined) return eventValues(value, true);
  if (!isAboutEvent) return [];
  // A list can be written as one text with commas.
  return [value].flat().flatMap((one) => (typeof one === 'string' ? one.split(',').map((part) => part.trim()) : []));
}
