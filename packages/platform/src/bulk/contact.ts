import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Brand } from '../brands/index.ts';
import type { ContactRules } from '../campaigns/index.ts';
import type { ContactRequest, Decision, Gate } from '../gate/index.ts';
import type { BulkAction } from './action.ts';
import { ended, giveUpAt } from './effect.ts';
import type { DuePlayer, Outcome } from './store.ts';

export interface ContactDeps {
  gate: Pick<Gate, 'mayContact'>;
  contact: Pick<ContactRules, 'of'>;
}

export interface Ruled {
  /** Who may be contacted; the gate is asked again with the message or offer itself. */
  players: DuePlayer[];
  /** Of those who may not, or not yet. */
  outcomes: Outcome[];
}

/** As a campaign that names no priority. */
const priority = 50;

/**
 * The brand's rules of contact for the players of one portion: control group, policy of the market, quiet hours in the player's zone, frequency
 * caps. Each decision is in the gate's records. Who has quiet hours waits until they end. Whom another transaction contacts at this moment has
 * no outcome, so the turn comes again.
 *
 * Where there are such rules, whom the gate holds waits here as well: a channel that held the message would send it in the middle of a night.
 */
export async function ruleContacts(
  tx: PoolClient,
  { gate, contact: rulesOf }: ContactDeps,
  { brand, action }: { brand: Brand; action: BulkAction },
  due: readonly DuePlayer[],
  at: Micros,
): Promise<Ruled> {
  const { does, action_id } = action;
  const isOffer = does.kind === 'offer';
  const way = isOffer
    ? ({ channel: 'bonus', purpose: 'bonus' } as const)
    : { channel: does.channel, purpose: does.purpose };
  const { players, gone, rules } = await rulesOf.of(tx, {
    brand,
    at,
    contact: { ...way, priority },
    isIncentive: isOffer,
    players: due.map(({ player_id }) => player_id),
  });
  const here = due.filter(({ player_id }) => players.includes(player_id));
  const erased = gone.map((player_id) => ended(player_id, 'skipped', 'erased'));
  if (rules === undefined) return { players: here, outcomes: erased };
  const decisions = await gate.mayContact(
    tx,
    here.map(({ player_id }): ContactRequest => {
      const cause = { kind: 'bulk' as const, id: String(action_id) };
      return { brand_id: brand.brand_id, player_id, ...way, cause, expires_at: giveUpAt(action) };
    }),
    rules,
  );
  const ruled = here.flatMap(({ player_id }, place) => outcomeOf(player_id, decisions[place], at));
  const out = new Set(ruled.map(({ player_id }) => player_id));
  return { players: here.filter(({ player_id }) => !out.has(player_id)), outcomes: [...erased, ...ruled] };
}

function outcomeOf(player_id: number, decision: Decision | undefined, at: Micros): Outcome[] {
  if (decision === undefined || decision.outcome === 'allowed') return [];
  const { decision_id, reason } = decision;
  if (decision.outcome === 'withheld') return [{ ...ended(player_id, 'withheld', reason), decision_id }];
  return [{ ...ended(player_id, 'waiting', reason), due_at: at + decision.ask_again_ms * 1_000, decision_id }];
}
