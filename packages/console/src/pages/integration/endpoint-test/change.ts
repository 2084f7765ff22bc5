import { api, bodyOf } from '../../../api/client.ts';
import type { Order } from '../../../api/unanswered-orders.ts';
import type { SentChange } from './change-outcome.tsx';
import type { ChangingEndpoint } from './endpoints.ts';

const consentTypes = ['Email', 'SMS', 'Telephone', 'PostMail', 'SiteNotification', 'PushNotification'] as const;
const blockTypes = ['Blocked', 'Excluded'] as const;
type ConsentType = (typeof consentTypes)[number];
type BlockType = (typeof blockTypes)[number];

/** What the user typed. Each endpoint uses only some of the fields. */
export interface TypedChange {
  type: ConsentType | BlockType;
  value: boolean;
  bonus_code: string;
  amount: string;
  currency: string;
}

/** One test: which endpoint is called for which player. */
export interface ChangeTest {
  brand: string;
  endpoint: ChangingEndpoint;
  userId: string;
  /** The note that the change gets. */
  note: string;
}

export const isBlock = (endpoint: ChangingEndpoint): boolean => endpoint === 'userblocks_write';
export const isFunds = (endpoint: ChangingEndpoint): boolean => endpoint === 'bonus_credit_funds';
/** Returns whether the endpoint takes a consent or a block. The others credit a bonus. */
export const isWrite = (endpoint: ChangingEndpoint): boolean => isBlock(endpoint) || endpoint === 'userconsents_write';

export const typesOf = (endpoint: ChangingEndpoint): readonly TypedChange['type'][] =>
  isBlock(endpoint) ? blockTypes : consentTypes;

export const firstChange = (endpoint: ChangingEndpoint): TypedChange => ({
  type: isBlock(endpoint) ? blockTypes[0] : consentTypes[0],
  value: isBlock(endpoint),
  bonus_code: '',
  amount: '',
  currency: '',
});

/** Returns whether everything that the endpoint needs was typed. */
export function isComplete(endpoint: ChangingEndpoint, { bonus_code, amount, currency }: TypedChange): boolean {
  if (isWrite(endpoint)) return true;
  if (bonus_code.trim() === '') return false;
  return !isFunds(endpoint) || (/^\d+(\.\d+)?$/.test(amount.trim()) && /^[A-Za-z0-9]{3,10}$/.test(currency.trim()));
}

/** Returns the change as the preview of the call takes it. */
export function previewed({ endpoint, note }: ChangeTest, { type, value, ...bonus }: TypedChange) {
  return {
    endpoint,
    ...(isWrite(endpoint) && { type, value }),
    ...(isBlock(endpoint) && { note }),
    ...(!isWrite(endpoint) && { bonus_code: bonus.bonus_code.trim() }),
    ...(isFunds(endpoint) && { amount: bonus.amount.trim(), currency: bonus.currency.trim() }),
  };
}

/** Makes the change. It is an ordinary change of the player, or an ordinary credit. */
export async function sendChange(test: ChangeTest, { typed, key }: Order<TypedChange>): Promise<SentChange> {
  const { brand, endpoint, userId, note } = test;
  const { type, value, bonus_code, amount, currency } = typed;
  const params = { path: { brand, user_id: userId } };
  if (isBlock(endpoint)) {
    const { change_id } = await bodyOf(
      api.POST('/api/console/v1/brands/{brand}/players/{user_id}/blocks', {
        params,
        body: { type: type as BlockType, active: value, note },
      }),
    );
    return { change_id };
  }
  if (isWrite(endpoint)) {
    const { change_id } = await bodyOf(
      api.POST('/api/console/v1/brands/{brand}/players/{user_id}/consents', {
        params,
        body: { changes: [{ type: type as ConsentType, opted_in: value }], note },
      }),
    );
    return { change_id };
  }
  return bodyOf(
    api.POST('/api/console/v1/brands/{brand}/players/{user_id}/bonus-credits', {
      params,
      headers: { 'Idempotency-Key': key },
      body: {
        bonus_code: bonus_code.trim(),
        offer: false,
        note,
        ...(isFunds(endpoint) && { amount: amount.trim(), currency: currency.trim() }),
      },
    }),
  );
}
