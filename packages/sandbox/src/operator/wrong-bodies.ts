import type { Books } from './books.ts';
import type { EndpointName, WrongShape } from './dials.ts';

/** Makes a wrong body for a 200 out of the right one. A string is sent as is (HTML). */
export function wrongBody(
  books: Books,
  endpoint: EndpointName,
  userId: string | undefined,
  right: unknown,
  shape: WrongShape,
): { body: unknown; html: boolean } {
  if (endpoint === 'authenticate' && shape in namelessSessions) return { body: namelessSessions[shape], html: false };
  switch (shape) {
    case 'html':
      return { body: '<!doctype html><html><body><h1>We are back soon</h1></body></html>', html: true };
    case 'empty_object':
      return { body: {}, html: false };
    case 'array':
      return { body: [right], html: false };
    case 'null':
      return { body: null, html: false };
    case 'another_player':
      return { body: anotherPlayer(books, endpoint, userId) ?? right, html: false };
    case 'missing_fields':
      return { body: halfOf(right), html: false };
    case 'wrong_types':
      return { body: mistyped(right), html: false };
  }
}

/** The answer about a session has one field. If it is missing or has another type, the answer names no player. */
const namelessSessions: Partial<Record<WrongShape, unknown>> = {
  wrong_types: { user_id: true },
  missing_fields: { sid: 'valid' },
};

function anotherPlayer(books: Books, endpoint: EndpointName, userId: string | undefined): unknown {
  for (const other of books.userIds()) {
    if (other === userId) continue;
    const player = books.player(other);
    if (endpoint === 'userdetails') return player?.details;
    if (endpoint === 'userconsents') return { consents: player?.consents };
    if (endpoint === 'userblocks') return { blocks: player?.blocks };
    return { user_id: other };
  }
  return undefined;
}

/** Removes every second field, but keeps the first one and `user_id`. */
function halfOf(right: unknown): unknown {
  if (typeof right !== 'object' || right === null) return right;
  const entries = Object.entries(right);
  if (entries.length === 1) return Object.fromEntries(entries.map(([name, value]) => [name, eachHalved(value)]));
  return Object.fromEntries(entries.filter(([name], place) => place % 2 === 0 || name === 'user_id'));
}

function eachHalved(value: unknown): unknown {
  return Array.isArray(value) ? value.map(halfOf) : value;
}

/**
 * Changes the types of values. Texts become numbers, booleans become texts, lists become texts, and objects become
 * lists. `user_id` and `type` are kept, because records would otherwise not be recognized.
 */
function mistyped(right: unknown): unknown {
  if (typeof right !== 'object' || right === null) return right;
  const entries = Object.entries(right).map(([name, value]): [string, unknown] => {
    if (name === 'user_id' || name === 'type') return [name, value];
    if (Array.isArray(value) && value.length > 0 && typeof value[0] === 'object') return [name, value.map(mistyped)];
    if (Array.isArray(value)) return [name, value.join(',')];
    if (typeof value === 'object') return [name, [value]];
    if (typeof value === 'string') return [name, value.length];
    return [name, String(value)];
  });
  return Object.fromEntries(entries);
}
