import type { Books, Credit } from '@croupier/sandbox';
import { type Random, seededRandom } from '../../packages/sandbox/src/random.ts';
import { eventOf } from './event.ts';
import type { Traffic } from './traffic.ts';

/**
 * The operator's bonus events about its credits. A third of them carries the references of the call, a third contains only
 * player and code, and for a third there is no event, as with operators that publish no bonus events.
 */
export interface BonusTeller {
  counts: { with_reference: number; without_reference: number; untold: number };
  /** Resolves when all published events are acknowledged. */
  finish(): Promise<void>;
}

export function tellCredits({ books, traffic, seed }: { books: Books; traffic: Traffic; seed: string }): BonusTeller {
  const random: Random = seededRandom(`told/${seed}`);
  const counts = { with_reference: 0, without_reference: 0, untold: 0 };
  let under: Promise<unknown> = Promise.resolve();
  const end = books.listen((change) => {
    if (change.what !== 'credit') return;
    const way = random.whole(0, 2);
    if (way === 2) {
      counts.untold += 1;
      return;
    }
    counts[way === 0 ? 'with_reference' : 'without_reference'] += 1;
    under = Promise.all([under, traffic.publish(bonusOf(change.credit, way === 0))]);
  });
  return {
    counts,
    async finish() {
      end();
      await under;
    },
  };
}

function bonusOf({ user_id, user_bonus_id, bonus_code, amount, headers }: Credit, withReference: boolean) {
  return eventOf('bonus', {
    user_id,
    user_bonus_id,
    bonus_id: bonus_code,
    bonus_code,
    product: 'Casino',
    type: 'ReloadBonus',
    status: 'Created',
    amount: amount ?? 10,
    currency: 'EUR',
    exchange_rate: 1,
    ...(withReference && { crm_references: { id: headers['x-crm-id'] } }),
  });
}
