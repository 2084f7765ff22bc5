import { createHash } from 'node:crypto';
import { storableText } from '../../database/index.ts';

const longestId = 100;

/**
 * The form in which a provider's id of a message is stored and looked up. A longer id is replaced by its hash, so that two ids that begin
 * alike stay different. An id in JSON may contain NUL, which PostgreSQL refuses. Then the outcome of a call would never be written, and a
 * call to a receiver that recognizes a message by its id would be repeated until the message expires.
 */
export function storedProviderId(id: string): string {
  const text = storableText(id);
  return text.length <= longestId ? text : createHash('sha256').update(text).digest('hex');
}
