import { expect, test } from 'vitest';
import { noon } from '../../../testing/clock.ts';
import { paymentBody, setupStage } from '../../../testing/derive/stage.ts';
import { testLog } from '../../../testing/log.ts';
import { fewestWritesOf } from '../../../testing/writes-of.ts';
import { transaction } from '../../database/index.ts';
import { readTraits } from '../../derive/index.ts';
import { applyIntentEvent } from '../intents/apply.ts';
import { createIntents } from '../intents/create.ts';
import type { IntentEvent } from '../intents/machine.ts';
import { FundsPublisher, listWaitingFunds } from './index.ts';

const stage = await setupStage();
const { pool, ledger, brands, brand, clock } = stage;
const { brand_id } = brand;
clock.set(noon + 3_600_000_000);
const publisher = (from: Pick<typeof ledger, 'openWriter'> = ledger) =>
  new FundsPublisher({ pool, ledger: from, brands, clock: clock.now, log: testLog });
const usual = publisher();

async function setup(user_id: string, fields: { amount: string; currency: string }) {
  await stage.publish({
    kind: 'payment',
    body: paymentBody({ user_id, payment_id: '1', currency: 'SEK', exchange_rate: 0.1 }),
  });
  await stage.derive();
  const player_id = await stage.playerId(user_id);
  const [made] = await transaction(pool, (tx) =>
    createIntents(tx, [{ brand_id, player_id, bonus_code: 'CASH', created_by: 'a test', ...fields }], noon),
  );
  const intent_id = made?.intent_id ?? '';
  const apply = (event: IntentEvent) =>
    transaction(pool, (tx) => applyIntentEvent(tx, intent_id, event, { at: clock.now() }));
  await transaction(pool, (tx) =>
    applyIntentEvent(tx, intent_id, { type: 'attempt_began', answer_within_ms: 10_000 }, { at: noon }),
  );
  return {
    apply,
    intent_id,
    async figures() {
      await stage.derive();
      const traits = await readTraits(pool, { player_id, time_zone: 'UTC' }, clock.now());
      return [traits.funds_credited_count?.value, traits.bonus_cost?.value];
    },
  };
}

const answered = (call: Extract<IntentEvent, { type: 'answered' }>['call']): IntentEvent => {
  return { type: 'answered', attempt_no: 1, call };
};

test('a round that finds nothing executes one statement', async () => {
  expect(await fewestWritesOf(() => usual.runOnce())).toBe(1);
});

test("credited funds become bonus cost once, at the player's rate", async () => {
  const { apply, figures } = await setup('ann', { amount: '50', currency: 'SEK' });
  expect(await usual.runOnce()).toEqual({ noted: 0, published: 0, waiting: 0 });
  await apply(answered({ outcome: 'credited' }));
  expect(await usual.runOnce()).toEqual({ noted: 1, published: 1, waiting: 0 });
  expect(await usual.runOnce()).toEqual({ noted: 0, published: 0, waiting: 0 });
  expect(await figures()).toEqual([1, '5']);
});

test('a withdrawn match removes the cost; a later proof adds it again; changes that cancel out are never published', async () => {
  const { apply, figures } = await setup('bob', { amount: '7', currency: 'EUR' });
  await apply(answered({ outcome: 'unknown', reason: 'timeout' }));
  await apply({ type: 'event_matched' });
  expect((await usual.runOnce()).published).toBe(1);
  expect(await figures()).toEqual([1, '7']);
  await apply({ type: 'match_withdrawn' });
  expect((await usual.runOnce()).published).toBe(1);
  expect(await figures()).toEqual([0, '0']);
  await apply({ type: 'event_matched' });
  await apply({ type: 'match_withdrawn' });
  expect((await usual.runOnce()).published).toBe(0);
  await apply({ type: 'event_reference' });
  expect((await usual.runOnce()).published).toBe(1);
  expect(await figures()).toEqual([1, '7']);
});

test('after a crash right after the append to the ledger, the same event is published again, which has no effect', async () => {
  const { apply, figures } = await setup('cat', { amount: '9', currency: 'EUR' });
  await apply(answered({ outcome: 'credited' }));
  const dying = publisher({
    async openWriter() {
      const writer = await ledger.openWriter();
      return {
        close: () => writer.close(),
        async append(entries) {
          await writer.append(entries);
          throw new Error('the process died here');
        },
      };
    },
  });
  await expect(dying.runOnce()).rejects.toThrow('died');
  await dying.stop();
  expect(await usual.runOnce()).toEqual({ noted: 0, published: 1, waiting: 0 });
  expect(await figures()).toEqual([1, '9']);
});

test('funds in a currency without a known rate wait, and are listed, until the first rate', async () => {
  const { apply, intent_id, figures } = await setup('dot', { amount: '100', currency: 'NOK' });
  await apply(answered({ outcome: 'credited' }));
  expect(await usual.runOnce()).toEqual({ noted: 1, published: 0, waiting: 1 });
  expect(await listWaitingFunds(pool, brand_id, 10)).toMatchObject([
    { intent_id, user_id: 'dot', exchange_rate: null },
  ]);
  await stage.publish({
    kind: 'payment',
    body: paymentBody({ user_id: 'dot', payment_id: '2', currency: 'NOK', exchange_rate: 0.08 }),
  });
  await stage.derive();
  await pool.query('update funds_publication set due_at = now()');
  expect((await usual.runOnce()).published).toBe(1);
  expect(await figures()).toEqual([1, '8']);
  expect(await listWaitingFunds(pool, brand_id, 10)).toEqual([]);
});

test('no event is published for an erased player, with or without a rate', async () => {
  for (const currency of ['EUR', 'DKK']) {
    const { apply, intent_id } = await setup(`eve-${currency}`, { amount: '3', currency });
    await apply(answered({ outcome: 'credited' }));
    await pool.query(
      `update player p set user_id = 'erased:' || p.player_id, erased_at = now()
         from bonus_intent i where i.intent_id = $1 and p.player_id = i.player_id`,
      [intent_id],
    );
    expect(await usual.runOnce()).toEqual({ noted: 1, published: 0, waiting: 0 });
  }
  expect(await listWaitingFunds(pool, brand_id, 10)).toEqual([]);
  await usual.stop();
});
