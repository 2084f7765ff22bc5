import { membershipTitles } from '../text/membership-titles.ts';
import type { Language } from '../text/text.tsx';
import { membershipOf } from './catalog.ts';

/** Returns the codes of the segments that conditions of a rule read, also in a rule with errors. Pure. */
export function segmentsIn(rule: unknown): string[] {
  if (typeof rule !== 'object' || rule === null) return [];
  const { field } = rule as { field?: unknown };
  const membership = typeof field === 'string' ? membershipOf(field) : undefined;
  const own = membership?.list === 'segment' ? [membership.code] : [];
  return [...own, ...Object.values(rule).flatMap(segmentsIn)];
}

const quoted = { en: (name: string) => `“${name}”`, de: (name: string) => `„${name}“` };

/**
 * Returns the sentence of a rule with the names of segments instead of their codes. The platform stores sentences with codes,
 * because a segment can get another name. Pure.
 *
 * @param nameOf returns the code itself if the name is not known
 */
export function withSegmentNames(sentence: string, language: Language, nameOf: (code: string) => string): string {
  const { segment: title } = membershipTitles[language];
  return sentence.replace(new RegExp(`${title('')}([a-z0-9_-]+)`, 'g'), (whole, code: string) => {
    const name = nameOf(code);
    return name === code ? whole : title(quoted[language](name));
  });
}
