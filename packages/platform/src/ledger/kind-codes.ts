import type { EventKind } from '@croupier/contracts';

/**
 * Codes of the kinds in blocks, and in every table with a narrow column for the kind. They are permanent: add codes,
 * but never change one. 255 is reserved (block.ts).
 */
const codes: Record<EventKind, number> = {
  registration: 1,
  login: 2,
  user_update: 3,
  consents_update: 4,
  blocks_update: 5,
  payment: 6,
  lottery_purchase: 7,
  lottery: 8,
  casino: 9,
  bonus: 10,
  gameround: 11,
  sports: 12,
  cart: 13,
  logout: 14,
  balances: 15,
  custom: 16,
  funds_credited: 17,
  site_event: 18,
  message_event: 19,
};

const kinds = new Map<number, EventKind>(
  (Object.entries(codes) as [EventKind, number][]).map(([kind, code]) => [code, kind]),
);

export function kindCode(kind: EventKind): number {
  return codes[kind];
}

/** Undefined for a code that a newer version wrote. */
export function kindOfCode(code: number): EventKind | undefined {
  return kinds.get(code);
}
