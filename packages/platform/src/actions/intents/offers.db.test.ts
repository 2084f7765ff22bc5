import { expect, test } from 'vitest';
import { setupIntents } from '../../../testing/actions/intents/setup-intents.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { acknowledgeUpdate } from '../../../testing/gate/pending-update.ts';
import { systemClock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import { selectChanges } from './change-store.ts';
import { claimOffer, listOffers, readNextOfferExpiry } from './offers.ts';

const { pool } = await setupDatabase();

async function arrange(options: Parameters<typeof setupIntents>[1] = {}) {
  const setup = await setupIntents(pool, options);
  const { gate } = setup;
  const claim = (player_id: number, intent_id: string, at = systemClock()) =>
    transaction(pool, (tx) => claimOffer(tx, { player_id, intent_id }, { gate, at }));
  const listed = async (player: number) => (await listOffers(pool, player, systemClock())).map((one) => one.intent_id);
  return { setup, claim, listed, anna: await setup.knownPlayer('anna') };
}

test('an offer that forty concurrent calls claim moves once and is credited once', async () => {
  const { setup, claim, anna } = await arrange();
  const offer = await setup.order(anna, { offer: true });
  const answers = await Promise.all(Array.from({ length: 40 }, () => claim(anna, offer)));
  for (const answer of answers) expect(['pending', 'credited']).toContain(answer?.state);
  setup.runner.wake();
  await setup.untilState(offer, 'credited');
  expect(setup.creditsOf(offer)).toBe(1);
  expect(await claim(anna, offer)).toEqual({ state: 'credited', reason: null });
  const changes = await selectChanges(pool, offer);
  expect(changes.map(({ event, actor }) => [event, actor])).toEqual([
    ['claimed', 'player'],
    ['answered', null],
  ]);
});

test('a player sees only their own offers, and only intents that were offered', async () => {
  const { setup, claim, listed, anna } = await arrange();
  const ben = await setup.knownPlayer('ben');
  const offer = await setup.order(anna, { offer: true });
  setup.operator.dials.set('bonus_credit', { faults: [{ fault: 'status', status: 503 }] });
  const ordered = await setup.order(anna);
  expect(await listed(anna)).toEqual([offer]);
  expect(await listed(ben)).toEqual([]);
  expect(await claim(ben, offer)).toBeNull();
  expect(await claim(anna, ordered)).toBeNull();
  expect(await claim(anna, '00000000-0000-7000-8000-000000000000')).toBeNull();
  expect(await setup.intent(offer)).toMatchObject({ state: 'offered', claimed_at: null });
  await claim(anna, offer);
  expect(await listed(anna)).toEqual([offer]);
});

test('an expired offer disappears from the list immediately, and a claim ends it', async () => {
  const { setup, claim, listed, anna } = await arrange();
  const expires_at = systemClock() + 60_000_000;
  const offer = await setup.order(anna, { offer: true, expires_at });
  expect(await listed(anna)).toEqual([offer]);
  expect(await readNextOfferExpiry(pool, anna, expires_at - 1)).toBe(expires_at);
  const later = systemClock() + 60_000_000;
  expect(await listOffers(pool, anna, later)).toEqual([]);
  expect(await readNextOfferExpiry(pool, anna, expires_at)).toBeNull();
  expect(await claim(anna, offer, later)).toEqual({ state: 'rejected', reason: 'expired' });
  expect(await claim(anna, offer)).toEqual({ state: 'rejected', reason: 'expired' });
});

test('P5: a player who was blocked a moment ago is refused, before the transition is handled', async () => {
  const { setup, claim, anna } = await arrange();
  const offer = await setup.order(anna, { offer: true });
  setup.operator.books.change('anna', { blocks: [{ type: 'Blocked', active: true, note: '' }] });
  await setup.refresh(anna);
  await setup.until(anna, ({ profile }) => profile?.is_blocked === true);
  expect(await claim(anna, offer)).toEqual({ state: 'rejected', reason: 'blocked' });
  expect(setup.creditsOf(offer)).toBe(0);
});

test('P15: an offer is hidden while an acknowledged update is not applied, and a claim then waits', async () => {
  const { setup, claim, listed, anna } = await arrange({ runs: false });
  const offer = await setup.order(anna, { offer: true });
  expect(await listed(anna)).toEqual([offer]);
  const apply = await acknowledgeUpdate(pool, setup.brand.brand_id, 'anna');
  expect(await listed(anna)).toEqual([]);
  // This offer is created while the update is not applied yet, because offers are created without the gate.
  const late = await setup.order(anna, { offer: true });
  expect(await listed(anna)).toEqual([]);
  expect(await claim(anna, offer)).toEqual({ state: 'pending', reason: null });
  expect(await listed(anna)).toEqual([offer]);
  await setup.runner.runOnce();
  await setup.runner.idle();
  expect(await setup.intent(offer)).toMatchObject({ state: 'pending', reason: 'update_pending', attempts: 0 });
  expect(setup.creditsOf(offer)).toBe(0);
  await apply();
  expect((await listed(anna)).toSorted()).toEqual([offer, late].toSorted());
  await setup.hurry(offer);
  await setup.runner.start();
  await setup.untilState(offer, 'credited');
});

test('an offer that is created for an already blocked player is hidden', async () => {
  const { setup, listed, anna } = await arrange();
  setup.operator.books.change('anna', { blocks: [{ type: 'Blocked', active: true, note: '' }] });
  await setup.refresh(anna);
  await setup.until(anna, ({ profile }) => profile?.is_blocked === true);
  await setup.order(anna, { offer: true });
  expect(await listed(anna)).toEqual([]);
});
