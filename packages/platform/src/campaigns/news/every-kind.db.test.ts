import { type EventKind, eventKinds } from '@croupier/contracts';
import { expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { timestamptzText } from '../../database/index.ts';
import { usualBody } from '../../scenarios/index.ts';
import { readCatalog } from '../../segments/membership/index.ts';
import { eventName } from './event-names.ts';

/* Campaigns start with events of every kind, and with conditions on their fields. */
const setup = await setupCampaigns();
const { pool, brand, clock, publish, derive, lane, runs } = setup;
const catalog = await readCatalog(pool, brand);
const { base_currency } = brand.settings;
let events = 0;
/** Kinds whose events had a text for a condition. */
const withCondition: EventKind[] = [];

/** Publishes an event of a player. @returns the fields that conditions can read, if a campaign uses the event */
async function publishOne(kind: EventKind, user_id: string): Promise<Record<string, unknown> | undefined> {
  events++;
  const usual = usualBody(kind, { base_currency, number: events });
  const timestamp = timestamptzText(clock.now());
  await publish({ kind, body: { origin: 'www.example.com', ...usual, user_id, timestamp } });
  await derive();
  const { rows } = await pool.query<{ row: Record<string, unknown> }>(
    `select news -> 'row' as row from campaign_news where news ->> 'kind' = $1`,
    [eventName(kind)],
  );
  await lane.runOnce();
  clock.advance(1_000_000);
  return rows[0]?.row;
}

async function campaign(code: string, event: string, value?: { field: string; operator: string; value: unknown }) {
  const where = value && { where: { combinator: 'and' as const, rules: [value] } };
  await setup.campaign({
    code,
    name: code,
    entry: { event, ...where } as never,
    reentry: { times: 'unlimited', while_running: true },
    steps: [{ id: 'mark', tag: 'seen' }],
  });
}

test.each(eventKinds)('an event of the kind %s starts a run, if its condition holds', async (kind) => {
  const event = eventName(kind);
  const user = `player of ${kind}`;
  await campaign(`any_${kind}`, event);
  const row = await publishOne(kind, user);
  expect((await runs(`any_${kind}`)).map(({ user_id, state }) => [user_id, state])).toEqual([[user, 'done']]);
  const field = catalog.fact(event)?.fields.find((one) => one.kind === 'text' && typeof row?.[one.name] === 'string');
  if (field === undefined) return;
  withCondition.push(kind);
  const { name } = field;
  const value = row?.[name];
  await campaign(`is_${kind}`, event, { field: name, operator: '=', value });
  await campaign(`is_not_${kind}`, event, { field: name, operator: '!=', value });
  // Another player, because some events with the same ids are repeats.
  const next = await publishOne(kind, `another ${user}`);
  const holds = next?.[name] === value;
  expect([await runs(`is_${kind}`), await runs(`is_not_${kind}`)].map((all) => all.length)).toEqual(
    holds ? [1, 0] : [0, 1],
  );
});

test('events of every kind with a fact were tested with conditions', () => {
  const hasFact = (kind: EventKind) => catalog.fact(eventName(kind)) !== undefined;
  expect(eventKinds.filter((kind) => hasFact(kind) !== withCondition.includes(kind))).toEqual([]);
});
