import type { WrittenRecord } from '../players/index.ts';

/** An item as it is about to be sent. */
export interface SentItem {
  item_id: number;
  type: string;
  /** The operator's last spelling of the type; null if it never sent one. */
  spelling: string | null;
  wanted: boolean;
  note: string | null;
  /** Why the last try failed, and how many in a row failed in the same way (Ladder.triesAfter). */
  reason: string | null;
  tries: number;
}

/**
 * Returns the body of POST /userconsents/:userid or /userblocks/:userid. It contains only the changed types, in the operator's
 * spelling. If that is not known, they have the spelling of the interface (docs/reference/decisions.md 4).
 */
export function requestBody(record: WrittenRecord, items: readonly SentItem[]): Record<string, unknown> {
  const named = items.map((item) => ({ ...item, type: item.spelling ?? item.type }));
  switch (record) {
    case 'consents':
      return { consents: named.map(({ type, wanted }) => ({ type, opted_in: wanted })) };
    case 'blocks':
      return { blocks: named.map(({ type, wanted, note }) => ({ type, active: wanted, note: note ?? '' })) };
  }
}
