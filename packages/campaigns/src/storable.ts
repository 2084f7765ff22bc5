import type { CampaignError } from './check.ts';

/**
 * Texts and keys of a document that PostgreSQL cannot read as `jsonb`: those with NUL or half a surrogate pair. Its type `json`
 * stores them, but then every query that searches the documents of the brand fails.
 */
export function unstorableTexts(value: unknown, path = ''): CampaignError[] {
  if (typeof value === 'string') return isStorable(value) ? [] : [{ path, message }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    isStorable(key) ? unstorableTexts(inner, `${path}/${key}`) : [{ path, message }],
  );
}

const message = 'a text must not contain NUL or invalid Unicode';

function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}
