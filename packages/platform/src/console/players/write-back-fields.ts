import { Type } from 'typebox';
import type { Language } from '../../language.ts';
import { itemStates, writtenRecords } from '../../operator/players/index.ts';
import type { ListedAttempt, WriteBackItem } from '../../operator/writeback/index.ts';
import { maskText } from '../access/masking.ts';
import { inLanguage } from '../language/translate.ts';
import { Moment, momentText, momentTextOrNull, Nullable } from '../routing/fields.ts';

/** Changes of consents and blocks that are being written to the operator, in the form of the API. */

export const Written = Type.Object({
  item_id: Type.Integer(),
  change_id: Type.Integer({ description: 'Types that were changed together share this id' }),
  player_id: Type.Integer(),
  user_id: Type.String(),
  record: Type.Enum([...writtenRecords]),
  type: Type.String({ examples: ['Email', 'Excluded'] }),
  wanted: Type.Boolean({ description: 'opted_in of a consent, active of a block' }),
  note: Nullable(Type.String()),
  source: Type.Enum(['unsubscribe', 'site', 'staff']),
  changed_at: Moment,
  state: Type.Enum([...itemStates], {
    description:
      "pending, sending: the operator does not have it yet. stored: the operator answered that it stored the change. confirmed: a look-up agrees. contradicted: look-ups still say the opposite; contact the operator. overruled: the operator contradicted it after it was stored, and the operator's value counts. superseded: changed again before it was stored. kept: a block that is not sent to the operator",
  }),
  attempts: Type.Integer({ description: 'Failures in a row' }),
  due_at: Nullable(Moment),
  rewrites: Type.Integer({ description: 'How often it was sent again because a look-up said the opposite' }),
  stored_at: Nullable(Moment),
  settled_at: Nullable(Moment),
  failing_since: Nullable(Moment),
  last_error: Nullable(Type.Object({ at: Moment, reason: Type.String(), detail: Type.String() })),
  said: Nullable(Type.Boolean({ description: 'Value in the last look-up while it was open. Null: no clear value' })),
  said_at: Nullable(Moment),
});

export const Attempt = Type.Object({
  record: Type.Enum([...writtenRecords]),
  item_ids: Type.Array(Type.Integer()),
  started_at: Moment,
  took_ms: Type.Integer(),
  request: Nullable(Type.Unknown({ description: 'The sent body. Null for roles that may not see personal data' })),
  status: Nullable(Type.Integer({ description: 'Null: no answer' })),
  answer: Nullable(Type.String({ description: 'The beginning of the answer' })),
  outcome: Type.String({ examples: ['stored', 'timeout', 'rejected', 'not_stored'] }),
  detail: Nullable(Type.String()),
});

/** The reader of an answer: the language, and whether personal data is shown. */
export interface Reader {
  language: Language;
  unmasked: boolean;
}

export function presentWritten(item: WriteBackItem, { language, unmasked }: Reader) {
  const { failed_at, failure, failure_detail, ...rest } = item;
  return {
    ...rest,
    note: unmasked ? item.note : maskText(item.note),
    changed_at: momentText(item.changed_at),
    due_at: momentTextOrNull(item.due_at),
    stored_at: momentTextOrNull(item.stored_at),
    settled_at: momentTextOrNull(item.settled_at),
    failing_since: momentTextOrNull(item.failing_since),
    last_error:
      failed_at === null || failure === null
        ? null
        : { at: momentText(failed_at), reason: failure, detail: inLanguage(failure_detail ?? '', language) },
    said_at: momentTextOrNull(item.said_at),
  };
}

export function presentAttempt(attempt: ListedAttempt, { language, unmasked }: Reader) {
  const { request, answer, started_at, item_ids, detail, ...rest } = attempt;
  return {
    ...rest,
    detail: detail && inLanguage(detail, language),
    item_ids: [...item_ids],
    started_at: momentText(started_at),
    request: unmasked ? request : null,
    answer: unmasked ? answer : maskText(answer),
  };
}
