import type { Pool } from 'pg';
import { onOneConnection } from '../../database/index.ts';
import { decideAll, type GateDeps } from '../decision/decide-all.ts';
import type { Channel, HeldReason, Purpose, WithheldReason } from '../request.ts';

export interface CountedVerdicts {
  allowed: number;
  withheld: Partial<Record<WithheldReason, number>>;
  held: Partial<Record<HeldReason, number>>;
}

/**
 * If the channels of a contact get different verdicts, the first one in this order counts. Withheld comes first,
 * because it is final.
 */
const order = { withheld: 0, held: 1, allowed: 2 } as const;

/**
 * Counts what the gate would answer now for these players. Like `explain`, it records nothing and requests no look-ups.
 *
 * @param asked.channels all of them must allow the contact, as for a push that also appears in the inbox
 */
export async function countVerdicts(
  pool: Pool,
  asked: { brand_id: number; players: readonly number[]; channels: readonly Channel[]; purpose: Purpose },
  { brands, clock }: GateDeps,
): Promise<CountedVerdicts> {
  const { brand_id, players, channels, purpose } = asked;
  const requests = players.flatMap((player_id) =>
    channels.map((channel) => ({ brand_id, player_id, channel, purpose, expires_at: null })),
  );
  const judged = await onOneConnection(pool, (client) => decideAll(client, requests, { brands }, clock()));
  const counted: CountedVerdicts = { allowed: 0, withheld: {}, held: {} };
  for (let at = 0; at < judged.length; at += channels.length) {
    const [worst] = judged
      .slice(at, at + channels.length)
      .map(({ verdict }) => verdict)
      .toSorted((a, b) => order[a.outcome] - order[b.outcome]);
    if (worst === undefined || worst.outcome === 'allowed') counted.allowed++;
    else if (worst.outcome === 'withheld') counted.withheld[worst.reason] = (counted.withheld[worst.reason] ?? 0) + 1;
    else counted.held[worst.reason] = (counted.held[worst.reason] ?? 0) + 1;
  }
  return counted;
}
