import { expect, test } from 'vitest';
import { createBooks } from '../operator/index.ts';
import { createSimulation, noQuirks } from './index.ts';

/** The simulation plays on the operator's own records, so published events and look-ups describe the same casino. */

test('players are in the records from their first message on, and their wallets change', () => {
  const books = createBooks();
  const simulation = createSimulation({ players: 20, books, quirks: { unregistered: 0 } });
  for (const message of simulation.take(2000))
    expect(books.player(message.user_id)?.details.user_id).toBe(message.user_id);
  const wallets = [...books.userIds()].map((userId) => books.player(userId)?.wallet.real ?? 0);
  expect(wallets.some((real) => real > 0)).toBe(true);
});

test('players stake no money before their first approved deposit', () => {
  const books = createBooks();
  const simulation = createSimulation({ players: 1, books, quirks: noQuirks });
  let published = false;
  for (const { kind, body } of simulation.take(400)) {
    const event = JSON.parse(body);
    published ||= kind === 'payment' && event.status === 'Approved';
    if (kind === 'casino' || kind === 'sports') expect(published).toBe(true);
  }
});

test('changes in the records are published: details, consents, blocks', () => {
  const books = createBooks();
  const simulation = createSimulation({ players: 3, books, quirks: noQuirks });
  simulation.take(50);
  const [userId = ''] = books.userIds();
  const published = (kind: string) =>
    simulation.take(200).some((message) => message.kind === kind && message.user_id === userId);
  books.change(userId, { details: { mobile: '1' } });
  expect(published('user_update')).toBe(true);
  books.change(userId, { consents: [{ type: 'email', opted_in: false }] }, 'platform');
  expect(published('consents_update')).toBe(true);
  books.change(userId, { blocks: [{ type: 'Excluded', active: true, note: 'asked for it' }] });
  expect(published('blocks_update')).toBe(true);
  expect(books.player(userId)?.details.is_excluded).toBe(true);
});

test('a credit of the platform results in a bonus event with its references', () => {
  const books = createBooks();
  const simulation = createSimulation({ players: 3, books, quirks: noQuirks });
  simulation.take(50);
  const [userId = ''] = books.userIds();
  books.addCredit({
    endpoint: 'bonus_credit',
    user_id: userId,
    bonus_code: 'RELOAD50',
    amount: null,
    currency: null,
    idempotency_key: 'k-1',
    headers: { 'x-crm-id': 'intent-9', 'x-crm-activityid': 'a-1', 'x-crm-triggerhash': 'abc' },
    body: {},
  });
  const bonus = simulation.take(300).find(({ kind, body }) => kind === 'bonus' && body.includes('crm_references'));
  expect(JSON.parse(bonus?.body ?? '{}')).toMatchObject({
    user_id: userId,
    bonus_code: 'RELOAD50',
    status: 'Created',
    crm_references: { id: 'intent-9', activity_id: 'a-1', trigger_hash: 'abc' },
  });
});

test('an excluded player does not play', () => {
  const books = createBooks();
  const simulation = createSimulation({ players: 2, books, quirks: noQuirks });
  simulation.take(50);
  const [userId = ''] = books.userIds();
  books.change(userId, { blocks: [{ type: 'Excluded', active: true, note: '' }] });
  simulation.finish();
  const later = simulation
    .take(2000)
    .slice(200)
    .filter((message) => message.user_id === userId);
  expect(later.filter(({ kind, body }) => kind === 'casino' && body.includes('"Bet"'))).toEqual([]);
});

test('after close, changes of the records are ignored', () => {
  const books = createBooks();
  const simulation = createSimulation({ players: 2, books, quirks: noQuirks });
  simulation.take(20);
  simulation.close();
  const [userId = ''] = books.userIds();
  books.change(userId, { blocks: [{ type: 'Blocked', active: true, note: '' }] });
  expect(simulation.take(20).some((message) => message.kind === 'blocks_update')).toBe(false);
});
