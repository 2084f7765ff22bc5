import type { OperatorEventKind } from '@croupier/contracts';
import type { Body } from './message.ts';
import type { QuirkName } from './quirks.ts';

/** Draws whether a quirk occurs, and counts it if so. */
export type Dice = (quirk: QuirkName) => boolean;

/** Optional texts per kind, for which null or blank must be read as absent (docs/reference/decisions.md 1). */
const optionalTexts: Record<OperatorEventKind, readonly string[]> = {
  registration: ['url_referer', 'note', 'user_agent', 'ip_address', 'origin'],
  login: ['user_agent', 'ip_address', 'origin'],
  logout: ['origin'],
  user_update: ['origin'],
  consents_update: ['origin'],
  blocks_update: ['origin'],
  payment: ['bonus_code', 'note', 'vendor_name'],
  casino: ['game_name', 'game_type', 'vendor_name'],
  gameround: ['vendor_name'],
  bonus: ['bonus_code'],
  lottery_purchase: ['bonus_code'],
  lottery: ['bonus_code', 'device_type', 'lottery_name', 'lottery_type'],
  sports: ['user_bonus_id', 'device_type', 'activity_id_reference'],
  cart: ['bonus_code', 'device_type', 'origin'],
  balances: [],
  custom: [],
};

/** Fields with enumerated values or codes, which are compared ignoring letter case (docs/reference/decisions.md 1). */
const caseless = ['type', 'status', 'product', 'bet_type', 'currency', 'user_currency'];

/** Ids that some operators store as integers. An id with a leading zero stays a text, so 007 is not changed. */
const digitIds = /"(user_id|payment_id|game_id|vendor_id|round_id|activity_id|bonus_id|lottery_id)":"([1-9]\d*)"/g;

/** Writes a body as JSON, in one of the forms in which operators write the same content. */
export function writeBody(kind: OperatorEventKind, body: Body, dice: Dice): string {
  const written: Body = { ...body };
  if (dice('nulls')) fill(written, optionalTexts[kind], null);
  if (dice('blanks')) fill(written, optionalTexts[kind], '');
  if (dice('letter_case')) changeCase(written);
  if (dice('amount_as_text') && typeof written.amount === 'number') written.amount = written.amount.toFixed(2);
  const text = JSON.stringify(written);
  return dice('ids_as_numbers') ? text.replaceAll(digitIds, '"$1":$2') : text;
}

/**
 * Returns the same content with its keys in reverse order. Bodies with numbers that are too long for a double are not
 * changed.
 */
export function reserialized(text: string): string {
  if (/:\d{16,}/.test(text)) return text;
  return JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text) as Body).reverse()));
}

function fill(body: Body, names: readonly string[], value: null | ''): void {
  for (const name of names) if (body[name] === undefined) body[name] = value;
}

function changeCase(body: Body): void {
  for (const name of caseless) {
    const value = body[name];
    if (typeof value === 'string')
      body[name] = value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase();
  }
}
