import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeConsents } from '../records/merge-consents.ts';
import type { ConsentRow } from '../records/rows.ts';
import type { OpenItem } from './item.ts';
import { isHeld, judgeOwnChange, lateWritesFor } from './own-changes.ts';

/*
 * Takes one consent through random steps. The player withdraws and opts in on the platform, and opts in at the operator. Writes are
 * stored, lost, or answered without being stored. Look-ups are requested at one time and answered at another, and may read outdated
 * data. Requests are numbered as in player_sync.
 *
 * P8: after a withdrawal the consent counts as not given until the player opts in again: on the platform, or at the operator after the
 * operator's records had confirmed the withdrawal. In particular, two things do not undo it: a look-up that was requested
 * before the withdrawal was stored, and an earlier opt-in whose call got no clear answer. The operator may carry out such an
 * opt-in at any time within the period for late writes.
 */
type Step =
  | { do: 'change'; opted_in: boolean }
  | { do: 'operator'; opted_in: boolean }
  | { do: 'store' }
  | { do: 'lie' }
  | { do: 'lose' }
  | { do: 'late' }
  | { do: 'wait' }
  | { do: 'ask'; stale: boolean }
  | { do: 'answer' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('change' as const), opted_in: fc.boolean() }),
  fc.record({ do: fc.constant('operator' as const), opted_in: fc.boolean() }),
  fc.record({ do: fc.constant('store' as const) }),
  fc.record({ do: fc.constant('lie' as const) }),
  fc.record({ do: fc.constant('lose' as const) }),
  fc.record({ do: fc.constant('late' as const) }),
  fc.record({ do: fc.constant('wait' as const) }),
  fc.record({ do: fc.constant('ask' as const), stale: fc.boolean() }),
  fc.record({ do: fc.constant('answer' as const) }),
);

test('a look-up requested before a withdrawal was stored does not undo it', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const life = makeLife();
      for (const one of steps) {
        life.take(one);
        if (life.mustBeWithdrawn()) expect(life.view()).toBe(false);
      }
    }),
    { numRuns: 2_000 },
  );
});

function makeLife() {
  const type = { type_key: 'email', type: 'Email', spelling: 'Email' };
  let books = true;
  let olderBooks = true;
  let rows: ConsentRow[] = [];
  let own: OpenItem | undefined;
  let requests = 1;
  /** The operator may carry out an opt-in that got no answer until this time. */
  let lateUntil: number | null = null;
  let now = 1;
  let asked: { request: number; asked_at: number; said: boolean } | undefined;
  /**
   * The model: the withdrawal that must be in force. It uses times, but no verdicts. A change on the platform sets it. Otherwise it is
   * cleared only as P8 above allows.
   */
  let withdrawal: { stored_at: number; confirmed: boolean } | undefined;

  const setOwn = (opted_in: boolean) => {
    const unseen = { confirm_request: null, late_until: lateUntil, seen: false };
    const source = 'unsubscribe' as const;
    rows = [{ player_id: 1, ...type, opted_in, in_doubt: false, unconfirmed: true, source, as_of: now }];
    const key = { item_id: now, player_id: 1, record: 'consents' as const, type_key: 'email' };
    own = { ...key, wanted: opted_in, state: 'pending', changed_at: now, rewrites: 0, ...unseen };
    withdrawal = opted_in ? undefined : { stored_at: Number.POSITIVE_INFINITY, confirmed: false };
  };
  const setBooks = (opted_in: boolean) => {
    olderBooks = books;
    books = opted_in;
  };

  const mayComeLate = (at: number) => lateUntil !== null && at <= lateUntil;

  function answer(): void {
    if (asked === undefined) return;
    const { said, ...when } = asked;
    asked = undefined;
    const verdict = own && judgeOwnChange(own, said, when);
    const held = new Set(verdict !== undefined && isHeld(verdict) ? ['email'] : []);
    const record = { consents: [{ ...type, opted_in: said }] };
    const changed = mergeConsents(rows, 1, record, { asked_at: when.asked_at, before: null }, held);
    if (changed.length > 0) rows = changed;
    if (withdrawal && when.asked_at > withdrawal.stored_at) {
      if (!said) withdrawal.confirmed = true;
      else if (withdrawal.confirmed && !mayComeLate(when.asked_at)) withdrawal = undefined;
    }
    if (verdict === 'confirm' || verdict === 'overrule') own = undefined;
    if (own && verdict === 'rewrite')
      own = { ...own, state: 'pending', rewrites: own.rewrites + 1, confirm_request: null, seen: false };
    if (own && verdict === 'watch') own = { ...own, state: 'stored', seen: true };
    if (own && verdict === 'contradict') own = { ...own, state: 'contradicted' };
  }

  return {
    view: () => rows[0]?.opted_in,
    mustBeWithdrawn: () => withdrawal !== undefined,
    take(one: Step): void {
      now++;
      switch (one.do) {
        case 'change':
          setOwn(one.opted_in);
          break;
        case 'operator':
          setBooks(one.opted_in);
          break;
        case 'store':
        case 'lie':
          if (own?.state !== 'pending') break;
          if (one.do === 'store') setBooks(own.wanted);
          own = { ...own, state: 'stored', confirm_request: ++requests };
          if (withdrawal) withdrawal = { stored_at: now, confirmed: false };
          break;
        case 'lose':
          // The operator may carry out the opt-in later: the step 'late' does so.
          if (own?.state !== 'pending' || !own.wanted) break;
          lateUntil = now + lateWritesFor;
          own = { ...own, late_until: lateUntil };
          break;
        case 'late':
          if (mayComeLate(now)) setBooks(true);
          break;
        case 'wait':
          now += lateWritesFor / 2;
          break;
        case 'ask':
          // A player has one open look-up of a kind at a time. If its worker dies, the claim expires and the answer is not written.
          asked = { request: requests, asked_at: now, said: one.stale ? olderBooks : books };
          break;
        case 'answer':
          answer();
      }
    },
  };
}
