import type { Micros } from '@croupier/contracts';

/*
 * One changed consent or block on its way into the operator's books.
 *
 *                claimed          2xx, no sign of failure      look-up asked after it: the same
 *     pending ----------> sending ----------------------> stored ------------------------------> confirmed
 *      ^  ^                  |                               |  look-up: the opposite
 *      |  '-- failed: due ---'                               |-- withdrawal or block, tries left --> pending
 *      |      after a wait   (worker died: claim runs out,   |-- withdrawal or block, none left ---> contradicted
 *      |                      sent again)                    '-- opt-in or removal ----------------> overruled
 *      |                                                     (while an earlier opt-in may come late, it stays stored: seen)
 *      '------------ a person fixed it at the operator: contradicted --look-up: the same--> confirmed
 *
 *     pending, sending --a newer change of the type--> superseded
 *     kept: a block of the platform's own; never sent, ends with its removal
 *
 * Every state but confirmed, overruled and superseded is open: while it lasts, records/own-changes.ts says whose word
 * counts, the player's here or the operator's.
 */
export const itemStates = [
  'pending',
  'sending',
  'stored',
  'confirmed',
  'contradicted',
  'overruled',
  'superseded',
  'kept',
] as const;
export type ItemState = (typeof itemStates)[number];

const openStates = ['pending', 'sending', 'stored', 'contradicted', 'kept'] as const;
export type OpenState = (typeof openStates)[number];

/** The records that are written back, named as their look-ups. */
export const writtenRecords = ['consents', 'blocks'] as const;
export type WrittenRecord = (typeof writtenRecords)[number];

export type ChangeSource = 'unsubscribe' | 'site' | 'staff';

/** What changes: one type of one record. */
export interface ItemChange {
  type: string;
  /** opted_in of a consent, active of a block. */
  wanted: boolean;
  note: string | null;
}

/** SQL: an opt-in, or a block taken away. Only such a write can harm when it takes effect late. */
export function loosens(item: string): string {
  return `(${item}.wanted = (${item}.record = 'consents'))`;
}

/** A change that is not settled, as far as a look-up has to know it. */
export interface OpenItem {
  item_id: number;
  player_id: number;
  record: WrittenRecord;
  type_key: string;
  wanted: boolean;
  state: OpenState;
  changed_at: Micros;
  rewrites: number;
  /** Until then an earlier write of unknown outcome may undo this one in the operator's books; null: there is none. */
  late_until: Micros | null;
  /** A look-up that was asked after the operator had stored the change said the same. */
  seen: boolean;
  /** A look-up that answers this request or a later one was asked after the operator had stored the change. */
  confirm_request: number | null;
}
