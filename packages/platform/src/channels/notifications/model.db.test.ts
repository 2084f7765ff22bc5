import fc from 'fast-check';
import { expect, test } from 'vitest';
import { setupNotifications } from '../../../testing/channels/notifications/setup-notifications.ts';
import { setupDatabase } from '../../../testing/database.ts';
import { makeKnown } from '../../../testing/gate/setup-gate.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { noteProtection } from '../../operator/protection/index.ts';
import { deleteForPlayer, markRead } from './by-player.ts';
import type { MessagePurpose } from './notification.ts';
import { protectMessages } from './protect.ts';
import { advanceRecall, orderRecall, recallMessage } from './recall.ts';
import { countUnread } from './site-store.ts';

/*
 * Compares random sequences of messages to a few players with a model, which is a list of plain objects. After every step the
 * site must show the same messages as the model. At the end, every message must have the state that the model gives it.
 */
const { pool } = await setupDatabase();
const { brand, clock, keeper, addStranger, wanted, create, list } = await setupNotifications(pool);
const { brand_id } = brand;
const second = 1_000_000;

interface Modeled {
  message_id: number;
  player: number;
  purpose: MessagePurpose;
  campaign_id: string | null;
  expires_at: number | null;
  state: string;
  read: boolean;
}

/** What is known of a player: nothing, no restriction, or a protection. */
type Known = 'nothing' | 'free' | 'blocked' | 'excluded' | 'no_consent';

type Step =
  | { do: 'create'; player: number; purpose: MessagePurpose; campaign: boolean; lives: number | null }
  | { do: 'read' | 'delete' | 'recall'; which: number }
  | { do: 'recall campaign' }
  | { do: 'learn'; player: number; known: Exclude<Known, 'nothing'> }
  | { do: 'pass'; seconds: number; kept: boolean };

const which = fc.nat({ max: 12 });
const player = fc.nat({ max: 1 });
const aStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      player,
      purpose: fc.constantFrom('marketing', 'service'),
      campaign: fc.boolean(),
      lives: fc.option(fc.integer({ min: 1, max: 8 })),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('read', 'delete', 'recall'), which }) },
  { weight: 1, arbitrary: fc.constant({ do: 'recall campaign' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('learn' as const),
      player,
      known: fc.constantFrom('free', 'free', 'blocked', 'excluded', 'no_consent'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      seconds: fc.integer({ min: 1, max: 10 }),
      kept: fc.boolean(),
    }),
  },
);

/** A simple implementation of the rules. */
class Model {
  readonly messages: Modeled[] = [];
  readonly known: Known[] = ['nothing', 'nothing'];

  allows({ player, purpose }: Pick<Modeled, 'player' | 'purpose'>): 'live' | 'held' | 'withheld' {
    const known = this.known[player];
    if (known === 'nothing') return 'held';
    if (known === 'excluded') return 'withheld';
    return known === 'free' || purpose === 'service' ? 'live' : 'withheld';
  }

  /** Whether the message is visible at this moment. */
  isThere({ state, expires_at }: Modeled): boolean {
    return state === 'live' && (expires_at === null || expires_at > clock.now());
  }

  recall(message: Modeled): void {
    if (message.state === 'live') message.state = this.isThere(message) ? 'withdrawn' : 'expired';
    if (message.state === 'held') message.state = 'dropped';
  }

  recordAnswer(player: number, known: Known): void {
    const before = this.known[player];
    this.known[player] = known;
    const isTighter = known !== 'free' && known !== before;
    for (const message of this.messages.filter((one) => one.player === player)) {
      const isUnread = this.isThere(message) && !message.read;
      if (isTighter && isUnread && message.purpose === 'marketing') message.state = 'withdrawn';
    }
  }

  /** Changes waiting messages as the keeper does. */
  keep(): void {
    for (const message of this.messages) {
      const isOver = message.expires_at !== null && message.expires_at <= clock.now();
      if (message.state === 'live' && isOver) message.state = 'expired';
      if (message.state !== 'held') continue;
      const allowed = this.allows(message);
      if (allowed === 'withheld') message.state = 'withheld';
      else if (isOver) message.state = 'dropped';
      else message.state = allowed;
    }
  }
}

async function tell(player_id: number, known: Known): Promise<void> {
  const at = timestamptzText(clock.now());
  const { rowCount } = await pool.query('select from player_profile where player_id = $1', [player_id]);
  if (rowCount === 0) {
    await pool.query('delete from player_sync where player_id = $1', [player_id]);
    await makeKnown(pool, brand_id, [player_id], at);
    await pool.query(
      `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
       values ($1, 'sitenotification', 'SiteNotification', 'SiteNotification', true, 'look_up', $2)`,
      [player_id, at],
    );
    await transaction(pool, (tx) => noteProtection(tx, [player_id], { source: 'look_up', at: clock.now() }));
  }
  await transaction(pool, async (tx) => {
    await tx.query('update player_profile set is_blocked = $2, is_excluded = $3 where player_id = $1', [
      player_id,
      known === 'blocked',
      known === 'excluded',
    ]);
    await tx.query(`update player_consent set opted_in = $2 where player_id = $1 and type_key = 'sitenotification'`, [
      player_id,
      known !== 'no_consent',
    ]);
    await noteProtection(tx, [player_id], { source: 'look_up', at: clock.now() });
    const { rows } = await tx.query(
      `delete from protection_delivery d using protection_transition t
        where d.transition_id = t.transition_id and d.follower = 'channels' returning t.*`,
    );
    await protectMessages(tx, rows, clock.now());
  });
}

async function keepUntilQuiet(): Promise<void> {
  await pool.query(`update notification set due_at = now() where state = 'held'`);
  for (let round = await keeper.runOnce(); round.more; ) round = await keeper.runOnce();
}

let histories = 0;

test('any sequence ends as in the model, and the site shows what the model shows', { timeout: 60_000 }, async () => {
  const property = fc.asyncProperty(fc.array(aStep, { minLength: 5, maxLength: 40 }), async (steps) => {
    histories++;
    const campaign = `campaign ${histories}`;
    const players = [await addStranger(`a${histories}`), await addStranger(`b${histories}`)];
    const model = new Model();
    const idOf = (player: number) => players[player] as number;
    // One player is known from the start; otherwise most messages would never be live.
    const beginning: Step = { do: 'learn', player: 0, known: 'free' };
    for (const step of [beginning, ...steps]) {
      await take(step, { model, campaign, idOf });
      for (const [player, player_id] of players.entries()) {
        const there = model.messages.filter((one) => one.player === player && model.isThere(one));
        const shown = await list(player_id);
        expect(shown.map((row) => [row.message_id, row.read_at !== null])).toEqual(
          there.map((one) => [one.message_id, one.read]).toReversed(),
        );
        const unread = await countUnread(pool, { player_id, inboxOnly: true, now: clock.now() });
        expect(unread).toBe(there.filter((one) => !one.read).length);
      }
    }
    await keepUntilQuiet();
    model.keep();
    const { rows } = await pool.query(
      'select message_id, state from notification where player_id = any($1) order by message_id',
      [players],
    );
    expect(rows).toEqual(model.messages.map(({ message_id, state }) => ({ message_id, state })));
  });
  await fc.assert(property, { numRuns: 15 });
});

async function take(
  step: Step,
  { model, campaign, idOf }: { model: Model; campaign: string; idOf(player: number): number },
): Promise<void> {
  const at = clock.now();
  switch (step.do) {
    case 'create': {
      const { player, purpose } = step;
      const campaign_id = step.campaign ? campaign : null;
      const expires_at = step.lives === null ? null : at + step.lives * second;
      const [made] = await create(wanted(idOf(player), { purpose, campaign_id, expires_at }));
      const state = model.allows({ player, purpose });
      expect(made?.state).toBe(state);
      const message_id = made?.message_id ?? 0;
      model.messages.push({ message_id, player, purpose, campaign_id, expires_at, state, read: false });
      return;
    }
    case 'read':
    case 'delete':
    case 'recall': {
      const message = model.messages[step.which % Math.max(1, model.messages.length)];
      if (message === undefined) return;
      const { message_id } = message;
      const player_id = idOf(message.player);
      if (step.do === 'recall') {
        await transaction(pool, (tx) => recallMessage(tx, { brand_id, message_id, by: 'a test' }, at));
        model.recall(message);
        return;
      }
      const work = step.do === 'read' ? markRead : deleteForPlayer;
      const { outcome } = await transaction(pool, (tx) => work(tx, player_id, message_id, at));
      const isOver = ['live', 'expired'].includes(message.state) && !model.isThere(message);
      const isDone = isOver || (step.do === 'delete' && message.state === 'deleted');
      expect(outcome).toBe(isDone || model.isThere(message) ? 'done' : 'unknown');
      if (!model.isThere(message)) return;
      if (step.do === 'read') message.read = true;
      else message.state = 'deleted';
      return;
    }
    case 'recall campaign': {
      const order = { brand_id, campaign_id: campaign, requested_at: at, requested_by: 'a test' };
      const { recall_id } = await transaction(pool, (tx) => orderRecall(tx, order));
      while ((await advanceRecall({ pool, clock: clock.now }, recall_id)) !== null);
      for (const message of model.messages) if (message.campaign_id === campaign) model.recall(message);
      return;
    }
    case 'learn':
      await tell(idOf(step.player), step.known);
      model.recordAnswer(step.player, step.known);
      return;
    case 'pass':
      clock.advance(step.seconds * second);
      if (!step.kept) return;
      await keepUntilQuiet();
      model.keep();
      return;
    default:
      return step satisfies never;
  }
}
