import type { Micros } from '@croupier/contracts';

/*
 * One consent or block that was changed in the platform and is being written to the operator.
 *
 *                claimed          2xx, no sign of failure      look-up after it: the same
 *     pending ----------> sending ----------------------> stored ------------------------------> confirmed
 *      ^  ^                  |                               |  look-up: the opposite
 *      |  '-- failed: due ---'                               |-- withdrawal or block, tries left --> pending
 *      |      after a wait   (worker died: claim expires,    |-- withdrawal or block, none left ---> contradicted
 *      |                      sent again)                    '-- opt-in or removal ----------------> overruled
 *      |                                                     (while an earlier opt-in may come late, it stays stored: seen)
 *      '------------ a person corrected it at the operator: contradicted --look-up: the same--> confirmed
 *
 *     pending, sending --a newer change of the type--> superseded
 *     kept: a block of the platform's own; never sent, ends with its removal
 *
 * Every state except confirmed, overruled and superseded is open. While an item is open, own-changes.ts decides whether the
 * player's change in the platform or the operator's value counts.
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

/** The records that are written back, with the names of their look-ups. */
export const writtenRecords = ['consents', 'blocks'] as const;
export type WrittenRecord = (typeof writtenRecords)[number];

export type ChangeSource = 'unsubscribe' | 'site' | 'staff';

/** One change: one type of one record. */
export interface ItemChange {
  type: string;
  /** opted_in of a consent, active of a block. */
  wanted: boolean;
  note: string | null;
}

/** SQL condition for an opt-in or a removed block. Only such a write can do harm if it takes effect late. */
export function loosens(item: string): string {
  return `(${item}.wanted = (${item}.record = 'consents'))`;
}

/** The fields of an open change that a look-up needs. */
export interface OpenItem {
  item_id: number;
  player_id: number;
  record: WrittenRecord;
  type_key: string;
  wanted: boolean;
  state: OpenState;
  changed_at: Micros;
  rewrites: number;
  /** Until this time an earlier write of unknown outcome may undo this change at the operator; null if there is no such write. */
  late_until: Micros | null;
  /** A look-up that was requested after the operator had stored the change confirmed it. */
  seen: boolean;
  /** A look-up that answers this request or a later one was requested after the operator had stored the change. */
  confirm_request: number | null;
}
