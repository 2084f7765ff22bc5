import { isDeepStrictEqual } from 'node:util';
import type { FieldValue, TemplateContent } from './template.ts';

/** One field of one language that differs between two versions. Its value is null in a version without the field. */
export interface FieldDifference {
  language: string;
  field: string;
  before: FieldValue | null;
  after: FieldValue | null;
}

/** Returns the changes between two versions of a template, in the order of the languages and fields. Pure. */
export function differences(before: TemplateContent, after: TemplateContent): FieldDifference[] {
  const languages = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return languages.flatMap((language) => {
    const [old, now] = [before[language] ?? {}, after[language] ?? {}];
    const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])];
    return fields
      .filter((field) => !isDeepStrictEqual(old[field], now[field]))
      .map((field) => ({ language, field, before: old[field] ?? null, after: now[field] ?? null }));
  });
}
