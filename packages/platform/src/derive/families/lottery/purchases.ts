import { type DerivedEvent, fingerprintOf } from '../../event.ts';
import { factFamily, factTable, ofEvents } from '../../facts/index.ts';
import { arrivalAmong } from '../../versions.ts';
import { partsOfPurchase } from './parts.ts';
import {
  type Purchase,
  type PurchaseIdentity,
  type PurchaseVersion,
  purchaseFact,
  purchaseKey,
  purchaseVersion,
  sameMoney,
  withPurchase,
} from './purchase.ts';
import { lotteryTotals } from './totals.ts';

/** Purchases of version 1: see README.md for their rules, purchase.ts for their states. */
export const lotteryPurchases = factFamily({
  family: 'lottery purchases',
  kinds: ['lottery_purchase'],
  table: factTable<Purchase, 'player_id' | 'purchase_key'>({
    name: 'lottery_purchase',
    key: { player_id: 'bigint', purchase_key: 'hash' },
    columns: {
      transaction_id: 'text',
      state: 'text',
      at: 'timestamptz',
      day: 'date',
      lottery_id: 'text',
      base_amount: 'numeric',
      conflicts: 'int',
      versions: 'jsonb',
    },
  }),
  read: (source) => [purchaseSaid(source)],
  decide: ofEvents<Purchase, PurchaseVersion, PurchaseSaid>({
    eventsOf: ({ versions }) => versions,
    classify: (versions, version) =>
      arrivalAmong(
        versions.filter(({ status }) => status === version.status),
        version,
        sameMoney,
      ),
    add: withPurchase,
    factOf: ({ event: _, ...identity }, versions, timeZone) => purchaseFact(identity, versions, timeZone),
  }),
  counted: [{ totals: lotteryTotals, partsOf: partsOfPurchase }],
});

/** What an event says about its purchase. */
export interface PurchaseSaid extends PurchaseIdentity {
  event: PurchaseVersion;
}

export function purchaseSaid(source: DerivedEvent<'lottery_purchase'>): PurchaseSaid {
  const { player_id, event } = source;
  const { transaction_id } = event;
  const version = purchaseVersion(event, fingerprintOf(source));
  return { player_id, purchase_key: purchaseKey(transaction_id), transaction_id, event: version };
}
