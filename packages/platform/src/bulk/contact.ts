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
  /** Players who may be contacted. The gate decides again on the message or offer itself. */
  players: DuePlayer[];
  /** Outcomes of the players who may not be contacted, or may not be contacted yet. */
  outcomes: Outcome[];
}

/** The priority of every bulk action. It equals the default priority of campaigns. */
const priority = 50;

/**
 * Applies the brand's rules of contact to the players of one portion: control group, policy of the market, quiet hours
 * in the player's zone, frequency caps. The gate records each decision. Players in quiet hours wait until these end. A
 * player whom another transaction is contacting at the same moment gets no outcome yet, and is tried again.
 *
 * If there are such rules, players whom the gate holds also wait here. Otherwise the channel would hold the message, and
 * could send it in the middle of the night.
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
    subject: {
      products: does.products,
      ...(isOffer && { incentive: does.wagering === null ? {} : { wagering: does.wagering } }),
    },
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
