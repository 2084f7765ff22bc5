import type { Pool } from 'pg';
import { onOneConnection } from '../../database/index.ts';
import type { ProtectionFacts, ProtectionInput } from '../../operator/protection/index.ts';
import type { Verdict } from '../decision/decide.ts';
import { decideAll, type GateDeps } from '../decision/decide-all.ts';
import { ruleVersion } from '../decision/rule.ts';
import { type Channel, channels, type Purpose, purposes } from '../request.ts';

export interface Explained {
  channel: Channel;
  purpose: Purpose;
  rule_version: number;
  verdict: Verdict;
  /** What would have to change for the contact to be allowed; empty if it is allowed. */
  needs: string[];
}

/** The channel `bonus` occurs only with the purpose `bonus`, because a credit is not a message. Other pairs never occur. */
const pairs = channels.flatMap((channel) =>
  purposes
    .filter((purpose) => (channel === 'bonus') === (purpose === 'bonus'))
    .map((purpose) => ({ channel, purpose })),
);

/**
 * What the gate would answer now, for these pairs of channel and purpose. It records nothing and requests nothing from
 * the operator, because an explanation is not a contact.
 */
export async function explain(
  pool: Pool,
  player: { brand_id: number; player_id: number },
  { brands, clock }: GateDeps,
  asked: readonly { channel: Channel; purpose: Purpose }[] = pairs,
): Promise<Explained[]> {
  const { brand_id, player_id } = player;
  const requests = asked.map((pair) => ({ brand_id, player_id, expires_at: null, ...pair }));
  const judged = await onOneConnection(pool, (client) => decideAll(client, requests, { brands }, clock()));
  return judged.map(({ request: { channel, purpose }, verdict, facts }) => {
    return { channel, purpose, rule_version: ruleVersion, verdict, needs: whatWouldChange(verdict, facts) };
  });
}

const pendingUpdate = 'an update of the player must be processed, and its look-up answered';

const lacks = {
  outdated: 'the look-up after an update is not answered yet',
  too_old: 'the last one is older than fact_age_hours',
} as const;

/** Sentences for people, one for each obstacle. Pure. */
export function whatWouldChange({ outcome, inputs, freshness }: Verdict, facts?: ProtectionFacts): string[] {
  if (outcome === 'allowed') return [];
  if (inputs.length === 0)
    return ['the player must exist; no event of the brand names this player, or the player was erased'];
  const wishes = inputs.flatMap((input) => (preventsContact(input) ? [wish(input)] : []));
  if (freshness.some(({ lack }) => lack === 'update_pending')) return [...wishes, pendingUpdate];
  const old = new Map(
    freshness.flatMap(({ look_up, lack }) => (lack === null || lack === 'update_pending' ? [] : [[look_up, lack]])),
  );
  return [
    ...wishes,
    ...[...old].map(([look_up, lack]) => {
      const why = lack === 'unknown' ? neverKnown(facts?.look_ups[look_up]?.failure ?? null) : lacks[lack];
      return `a successful look-up of ${look_up} is required: ${why}`;
    }),
  ];
}

/** States why a look-up has no result so far: it was not answered, the operator does not know the player, or the answers were unusable. */
function neverKnown(failure: string | null): string {
  if (failure === null) return 'it has never been answered';
  if (failure === 'unknown_player') return 'the operator has answered that it does not know the player';
  return `all calls so far have failed (${failure})`;
}

function preventsContact({ about, counts, source }: ProtectionInput): boolean {
  return about === 'consent' ? !counts && source !== null : counts;
}

function wish({ about, input, value, in_doubt, source }: ProtectionInput): string {
  const wanted = about === 'consent' ? 'true' : 'false';
  if (in_doubt) return `${input} must be clearly ${wanted}; the operator's last answer was neither true nor false`;
  if (value === null) return `${input} must be ${wanted}; no source has reported it`;
  return `${input} must be ${wanted} (${source} reports ${value})`;
}
