import type { Answer } from './act.ts';
import type { Books } from './books.ts';
import { type OperatorPlayer, type ReconciliationField, reconciliationFields } from './records.ts';

/**
 * Number of users per piece of a streamed answer. A piece has about 16 KB of text. That keeps a socket busy without holding
 * the whole list in memory.
 */
const usersPerPiece = 1024;
/** Number of players to examine, whether or not they belong on the list, before the event loop runs other work. */
const playersPerTurn = 1024;

const keys: Record<ReconciliationField, (player: OperatorPlayer) => boolean> = {
  blocked: (player) => player.details.is_blocked,
  excluded: (player) => player.details.is_excluded,
  active: (player) => !player.details.is_blocked && !player.details.is_excluded,
  consent_email: consent('email'),
  consent_sms: consent('sms'),
  consent_telephone: consent('telephone'),
  consent_post_mail: consent('postmail'),
  consent_site_notification: consent('sitenotification'),
  consent_push_notification: consent('pushnotification'),
};

function consent(type: string) {
  return (player: OperatorPlayer) => player.consents.some((item) => item.opted_in && item.type.toLowerCase() === type);
}

/**
 * Answers POST /reconciliation with the users for whom the requested key is true. The records are read while the answer is
 * being sent.
 */
export function reconcile(books: Books, body: unknown, now: () => number): Answer {
  const asked = typeof body === 'object' && body !== null ? (body as Record<string, unknown>).field : undefined;
  const field = reconciliationFields.find((name) => name === asked);
  if (field === undefined) return { status: 400, body: { error: 'field is not one of the nine' } };
  return { status: 200, body: null, stream: reconciliationText(matching(books, field), { timestamp: now() }) };
}

/**
 * The answer's text in pieces. `error` ends the list early. It follows the users that were already sent, in the same body, as
 * with an operator whose query fails while the response is being streamed (docs/reference/interface.md, Endpoints A, rule 6).
 *
 * @param users a null among them is not a user; it only lets other work run
 */
export function* reconciliationText(
  users: Iterable<string | null>,
  end: { timestamp: number } | { timestamp: number; error: string; after: number } | { cutAfter: number },
): Generator<string> {
  const limit = 'after' in end ? end.after : 'cutAfter' in end ? end.cutAfter : Number.POSITIVE_INFINITY;
  const withUsers = !('after' in end) || end.after > 0;
  let piece = withUsers ? '{"users":[' : '{';
  let count = 0;
  if (limit > 0) {
    for (const user of users) {
      if (user === null) {
        yield piece;
        piece = '';
        continue;
      }
      piece += count === 0 ? JSON.stringify(user) : `,${JSON.stringify(user)}`;
      count += 1;
      if (count >= limit) break;
      if (count % usersPerPiece === 0) {
        yield piece;
        piece = '';
      }
    }
  }
  if ('cutAfter' in end) {
    yield piece;
    return;
  }
  const error = 'error' in end ? `"error":${JSON.stringify(end.error)},` : '';
  yield `${piece}${withUsers ? '],' : ''}${error}"timestamp":"${new Date(end.timestamp).toISOString().replace('Z', '000Z')}"}`;
}

/** Yields null if no player has matched for a while, so that other work can run. */
export function* matching(books: Books, field: ReconciliationField): Generator<string | null> {
  const isTrue = keys[field];
  let looked = 0;
  for (const userId of books.userIds()) {
    const player = books.player(userId);
    if (player !== undefined && isTrue(player)) yield userId;
    looked += 1;
    if (looked % playersPerTurn === 0) yield null;
  }
}
