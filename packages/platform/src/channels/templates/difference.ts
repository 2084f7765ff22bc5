import { isDeepStrictEqual } from 'node:util';
import type { FieldValue, TemplateContent } from './template.ts';

/** One field of one language that differs between two versions. Null if the field does not exist. */
export interface FieldDifference {
  language: string;
  field: string;
  before: FieldValue | null;
  after: FieldValue | null;
}

/** The changes between two versions of a template, by language and field in order. Pure. */
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
