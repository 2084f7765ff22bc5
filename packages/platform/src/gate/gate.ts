import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { awaitAll, onOneConnection } from '../database/index.ts';
import { decideAll, type GateDeps } from './decision/decide-all.ts';
import { applyRulesOfContact, type RuledVerdict } from './decision/rules-of-contact.ts';
import { senderRules, senderRuling } from './decision/sender-rules.ts';
import { askAgainMs } from './records/ask-again.ts';
import { insertDecisions } from './records/decision-store.ts';
import { endHolds, type Hold, holdKey, keyText, readHolds, writeHolds } from './records/hold-store.ts';
import { recordOf } from './records/record.ts';
import { askForLookUps } from './refreshing.ts';
import type { ContactRequest, Decision, RulesOfContact } from './request.ts';

/**
 * Every contact must pass this gate (docs/reference/design.md 2.5). Nothing is cached: each call reads what is committed
 * when it begins.
 *
 * Call it as late as possible, in the transaction that records the attempt. Code that calls another system after its
 * commit must check again right before that call (`stillAllows`): the commit may have taken long, or the process
 * may have been suspended. A change between that check and the call cannot be seen.
 */
export class Gate {
  readonly #deps: GateDeps;

  constructor(deps: GateDeps) {
    this.#deps = deps;
  }

  /**
   * Checks an allowed contact again, right before it begins. Returns false if the contact would no longer be allowed. Then do
   * not contact the player, and call `mayContact` again. This check only reads.
   */
  async stillAllows(db: Pool | ClientBase, request: ContactRequest): Promise<boolean> {
    const now = this.#deps.clock();
    const [judged] = await onOneConnection(db, (client) => decideAll(client, [request], this.#deps, now));
    if (judged === undefined || judged.verdict.outcome !== 'allowed') return false;
    return (senderRuling(judged, this.#deps, now)?.outcome ?? 'allowed') === 'allowed';
  }

  /**
   * Decides a batch, and writes one record per decision in the caller's transaction. It runs at most eight statements,
   * regardless of the number of requests. For contacts that are held because information is missing, it requests look-ups in the
   * live lane. A held contact is recorded when it is first held and when it is finally decided, but not in between.
   *
   * @param rules further rules for contacts that the gate allows. The record of a decision contains their inputs in addition
   *   to those of the gate.
   * @returns one decision per request, in the same order
   */
  async mayContact(tx: PoolClient, requests: readonly ContactRequest[], rules?: RulesOfContact): Promise<Decision[]> {
    if (requests.length === 0) return [];
    const now = this.#deps.clock();
    const [decided, holds] = await awaitAll([
      decideAll(tx, requests, this.#deps, now),
      readHolds(tx, requests.map(holdKey)),
    ]);
    const verdicts = applyRulesOfContact(decided, rules ?? senderRules(decided, this.#deps, now));
    const judged = verdicts.map((one) => {
      const hold = holds.get(keyText(holdKey(one.request)));
      return { ...one, hold, verdict: unlessHeldTooLong(one, hold, now) };
    });
    const recorded = judged.filter(({ verdict, hold }) => verdict.outcome !== 'held' || hold === undefined);
    const ids = await insertDecisions(
      tx,
      recorded.map(({ request, verdict }) => recordOf(request, verdict, now)),
    );
    const idOf = new Map(recorded.map((one, place) => [one, ids[place] as number]));
    const held = judged.flatMap((one): Hold[] => {
      const { request, verdict, hold } = one;
      if (verdict.outcome !== 'held') return [];
      const { brand_id, expires_at } = request;
      const decision_id = hold?.decision_id ?? (idOf.get(one) as number);
      const held_since = hold?.held_since ?? now;
      return [
        {
          ...holdKey(request),
          brand_id,
          decision_id,
          reason: verdict.reason,
          held_since,
          last_asked_at: now,
          expires_at,
        },
      ];
    });
    await awaitAll([
      writeHolds(tx, held),
      endHolds(
        tx,
        judged.flatMap(({ request, verdict, hold }) => (hold && verdict.outcome !== 'held' ? [holdKey(request)] : [])),
      ),
      askForLookUps(tx, judged),
    ]);
    return judged.map((one): Decision => {
      const { verdict, hold } = one;
      const decision_id = idOf.get(one) ?? hold?.decision_id ?? 0;
      if (verdict.outcome === 'allowed') return { decision_id, outcome: 'allowed' };
      if (verdict.outcome === 'withheld') return { decision_id, outcome: 'withheld', reason: verdict.reason };
      const { reason, until } = verdict;
      const ask_again_ms =
        until === null ? askAgainMs(now - (hold?.held_since ?? now)) : Math.max(0, Math.ceil((until - now) / 1_000));
      return { decision_id, outcome: 'held', reason, ask_again_ms, until };
    });
  }
}

/** A rule of contact holds until a known time, and is never given up. */
function unlessHeldTooLong(
  { request: { mostHeld }, verdict }: { request: ContactRequest; verdict: RuledVerdict },
  hold: { held_since: Micros } | undefined,
  now: Micros,
): RuledVerdict {
  if (verdict.outcome !== 'held' || verdict.until !== null || mostHeld === undefined || hold === undefined)
    return verdict;
  return now - hold.held_since < mostHeld
    ? verdict
    : { ...verdict, outcome: 'withheld', reason: 'expired_while_unknown' };
}
