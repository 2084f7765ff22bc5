import type { CallAnswer } from '../../operator/calling/index.ts';

/**
 * Returns why the body of a 2xx cannot be searched for a sign of failure. Such an answer proves nothing. Undefined if the body
 * can be searched. Pure.
 *
 * A text or a page that is not JSON can be read and contains no sign (docs/reference/decisions.md 5). A body cannot be read if it is
 * compressed, or if it is not in UTF-8 or a related encoding. Nor can it be read if it begins like JSON but is not valid JSON, because the
 * missing or damaged part may contain the sign of failure.
 */
export function whyUnreadable({ body, content_encoding, content_type }: CallAnswer): string | undefined {
  if (body.length === 0) return undefined;
  const encoding = content_encoding?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') return `a body with the encoding ${encoding.slice(0, 40)}`;
  const charset = /charset\s*=\s*"?\s*(utf-?(?:16|32|7)|ucs-?[24])/i.exec(content_type ?? '')?.[1];
  if (charset !== undefined) return `a body in ${charset.toLowerCase()}`;
  // In UTF-16 and UTF-32, every character of the JSON syntax has a zero byte. 0xfffe and 0xfeff are their byte order
  // marks.
  const mark = body.readUIntBE(0, Math.min(body.length, 2));
  if (mark === 0xfffe || mark === 0xfeff || body.includes(0)) return 'a body that is not UTF-8 text';
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  return /^\s*[[{]/.test(text) && !isJson(text) ? 'a body that starts like JSON and is not valid JSON' : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
