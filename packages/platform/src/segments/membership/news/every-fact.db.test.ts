import type { Rule, RuleNode } from '@croupier/rules';
import { expect, test } from 'vitest';
import { factMakers, makeMessage, makeOffer } from '../../../../testing/segments/make-facts.ts';
import { setupSegments } from '../../../../testing/segments/setup-segments.ts';
import { applyIntentEvent } from '../../../actions/index.ts';
import { type MessageActivity, recordActivities } from '../../../channels/notifications/activity.ts';
import { deleteForPlayer, markRead } from '../../../channels/notifications/by-player.ts';
import { timestamptzText, transaction } from '../../../database/index.ts';
import { traitCatalog } from '../../../derive/index.ts';
import { factReadings } from '../../fields/facts/facts.ts';
import { verifySegments } from '../index.ts';

const stage = await setupSegments();
const { pool, brands, rules, clock, publish, derive, follow, segment, members, transitions, playerId } = stage;
const rule = (...nodes: RuleNode[]): Rule => ({ combinator: 'and', rules: nodes });
const once = (field: `did.${string}`, ...value: RuleNode[]): RuleNode => {
  const match = { mode: 'atLeast', threshold: 1 } as const;
  return value.length === 0 ? { field, match } : { field, match, value: rule(...value) };
};
const makers = factMakers(stage);
const facts = [...factReadings('EUR').keys()];

/** A player with one event, which none of these rules uses. */
async function known(user_id: string) {
  const timestamp = timestamptzText(clock.now() - 86_400_000_000);
  await publish({ kind: 'balances', body: { user_id, timestamp, origin: 'web', balances: [] } });
  await derive();
  await follow();
}

async function agrees() {
  expect((await verifySegments({ pool, brands, rules }, clock.now())).differences).toEqual([]);
}

test('the test covers every kind of fact', () => {
  expect(Object.keys(makers).sort()).toEqual([...facts].sort());
});

test.each(facts)(
  'news of a fact of the kind %s makes a member, and the transition has it as its cause',
  async (kind) => {
    const user = `has-${kind}`;
    await known(user);
    await segment(`did-${kind}`, rule(once(`did.${kind}`)));
    expect(await members(`did-${kind}`)).toEqual([]);
    await makers[kind]?.(user);
    await follow();
    expect(await members(`did-${kind}`)).toEqual([user]);
    const [entered] = await transitions(`did-${kind}`);
    expect(entered).toMatchObject({ transition: 'entered', silent: false });
    expect(['event', 'message']).toContain(entered?.cause.type);
    await agrees();
  },
);

test('an action of a player on a message is news', async () => {
  await known('reader');
  await segment('shown', rule({ field: 'trait.message_shown_count', operator: '>=', value: 1 }));
  await segment('read', rule({ field: 'trait.message_read_count', operator: '>=', value: 1 }));
  await segment('clicked', rule(once('did.message', { field: 'clicked_at', operator: 'notNull' })));
  const live: RuleNode = { field: 'state', operator: '=', value: 'live' };
  await segment('kept', rule(once('did.message', live, { field: 'title', operator: '=', value: 'Ten spins' })));
  const player_id = await playerId('reader');
  const message_id = await makeMessage(stage, 'reader');
  const tell = async (activity: MessageActivity['activity']) => {
    await transaction(pool, (tx) => recordActivities(tx, player_id, [{ message_id, activity }], clock.now()));
    await follow();
  };
  await tell('shown');
  expect(await members('shown')).toEqual(['reader']);
  expect(await members('read')).toEqual([]);
  await transaction(pool, (tx) => markRead(tx, player_id, message_id, clock.now()));
  await follow();
  expect(await members('read')).toEqual(['reader']);
  await tell('clicked');
  expect(await members('clicked')).toEqual(['reader']);
  expect(await transitions('clicked')).toMatchObject([
    { user_id: 'reader', cause: { type: 'message', id: String(message_id), at: clock.now() }, silent: false },
  ]);
  expect(await members('kept')).toContain('reader');
  await transaction(pool, (tx) => deleteForPlayer(tx, player_id, message_id, clock.now()));
  await follow();
  expect(await members('kept')).not.toContain('reader');
  await agrees();
});

test('an offer, and its end, are news', async () => {
  await known('offered');
  await segment('expiring', rule({ field: 'trait.bonus_next_expiry_at', operator: 'inNext', value: 'P7D' }));
  const intent_id = await makeOffer(stage, 'offered');
  await follow();
  expect(await members('expiring')).toEqual(['offered']);
  expect(await transitions('expiring')).toMatchObject([{ cause: { type: 'offer', id: intent_id }, silent: false }]);
  await transaction(pool, (tx) =>
    applyIntentEvent(tx, intent_id, { type: 'claimed' }, { at: clock.now(), actor: 'player' }),
  );
  await follow();
  expect(await members('expiring')).toEqual([]);
  await agrees();
});

test('a change of a message that no rule uses leaves no work', async () => {
  for (const code of ['did-message', 'shown', 'read', 'clicked', 'kept'])
    await pool.query(`update segment_active set kinds = '{}' where code = $1`, [code]);
  const message_id = await makeMessage(stage, 'reader');
  await pool.query('update notification set read_at = created_at where message_id = $1', [message_id]);
  expect((await pool.query('select from segment_news')).rowCount).toBe(0);
});

test('every trait declares the news that can change it', () => {
  const birth = traitCatalog.filter(({ source }) => source.from === 'birth').map(({ name }) => name);
  const silent = traitCatalog.flatMap(({ name }) => {
    const field = `trait.${name}`;
    const needs = {
      fields: new Set([field]),
      facts: new Set<string>(),
      segments: new Set<string>(),
      tags: new Set<string>(),
    };
    return rules.kindsOf(needs).size === 0 ? [name] : [];
  });
  // These fields come only from the operator's details. A change of the details is news for all rules that use records.
  expect(silent).toEqual(birth);
});
