import { beforeAll, expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';

const console = await setupConsole();
const { pool, brand } = console;

const first = '2026-05-01T12:00:01Z';
const intent = '00000000-0000-4000-8000-000000000001';
let playerId = 0;
let positions: string[] = [];

const run = (text: string, ...values: unknown[]) => pool.query(text, values);

async function idOf(text: string, ...values: unknown[]): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(text, values);
  return rows[0]?.id ?? 0;
}

async function insertTransition(segment: string, cause: object, number = 1): Promise<number> {
  return idOf(
    `insert into segment_transition (brand_id, player_id, segment_id, version, transition, at, cause, silent)
     select $1, $2, segment_id, 1, 'entered', $3, $4, false from segment, generate_series(1, $6) where code = $5
     returning transition_id as id`,
    brand.brand_id,
    playerId,
    first,
    cause,
    segment,
    number,
  );
}

const insertRun = (cause: object) =>
  idOf(
    `insert into campaign_run (player_id, brand_id, campaign_id, version_id, cause_key, cause, state, position, entered_at, moved_at)
     select $1, $2, campaign_id, 1, $3::jsonb::text, $3::jsonb, 'done', '{}', $4, $4 from campaign returning run_id as id`,
    playerId,
    brand.brand_id,
    JSON.stringify(cause),
    first,
  );

const insertStep = (runId: number, step: string, effect: object, number = 1) =>
  run(
    `insert into campaign_run_step (player_id, run_id, campaign_id, version_id, step, state, at, effect)
     select $1, $2, 1, 1, $3, 'done', $4, $5 from generate_series(1, $6)`,
    playerId,
    runId,
    step,
    first,
    effect,
    number,
  );

const insertEmails = (number: number, at: string) =>
  idOf(
    `insert into email_message (message_id, brand_id, player_id, purpose, campaign_id, subject, html, plain, created_at, created_by,
       expires_at, state, sent_at)
     select id_in_bucket(nextval('notification_number'), $1), $2, $1, 'service', 'back', '', '', '', $3, 'a test', $3, 'sent', $3
       from generate_series(1, $4) returning message_id as id`,
    playerId,
    brand.brand_id,
    at,
    number,
  );

const insertDecisions = (number: number, kind: string, id: string, at: string) =>
  run(
    `insert into gate_decision (decision_id, brand_id, player_id, channel, purpose, outcome, cause_kind, cause_id, rule_version,
       inputs, inputs_sha256, decided_at)
     select id_in_bucket(nextval('gate_decision_number'), $1), $2, $1, 'email', 'marketing', 'allowed', $3, $4, 1, '{}', sha256(''), $5
       from generate_series(1, $6)`,
    playerId,
    brand.brand_id,
    kind,
    id,
    at,
    number,
  );

const answerOf = async (position: string | undefined) => {
  const { status, body } = await console.get(`/brands/malta/feed/${position}/effects`);
  expect(status).toBe(200);
  return body;
};

const effectsOf = async (position: string | undefined) => {
  const { items, cut } = await answerOf(position);
  expect(cut).toBe(false);
  return items;
};

/** Microseconds since 1970. Each cause in a test has a different time. */
let nextTime = Date.parse('2026-05-01T11:45:00Z') * 1_000;

/** Publishes another event of the player. @returns its position in the ledger */
async function publishLogin(): Promise<string> {
  nextTime += 1_000_000;
  const timestamp = new Date(nextTime / 1_000).toISOString();
  await console.publish('login', { user_id: 'ann', timestamp });
  await console.derive();
  const { items } = (await console.get('/brands/malta/players/ann/timeline?kind=login&limit=1')).body;
  return items[0].position;
}

beforeAll(async () => {
  for (const timestamp of ['2026-05-01T11:00:00Z', '2026-05-01T11:30:00Z'])
    await console.publish('login', { user_id: 'ann', timestamp });
  await console.derive();
  playerId = await idOf('select player_id as id from player');
  const { items } = (await console.get('/brands/malta/players/ann/timeline?kind=login')).body;
  positions = items.map(({ position }: { position: string }) => position).toReversed();
  await run(
    `insert into campaign (brand_id, code, name, state, created_at, created_by) values ($1, 'back', 'Back', 'live', now(), 'a test')`,
    brand.brand_id,
  );
  const chained = Array.from({ length: 11 }, (_, link) => `chain-${link + 1}`);
  for (const code of ['lapsed', 'lapsed-and-rich', 'reached', 'tagged', 'other', ...chained])
    await run(
      `insert into segment (brand_id, code, name, created_at, created_by) values ($1, $2, $2, now(), 'a test')`,
      brand.brand_id,
      code,
    );

  // Event -> segment -> segment that uses it -> run -> e-mail and bonus, each after a decision; e-mail -> segment; tag -> segment.
  const at = 1_777_633_200_000_000;
  const [id, other] = positions.map((position) => position.replaceAll('-', ':'));
  await insertTransition('lapsed', { type: 'event', id, kind: 'login', at });
  const dependent = await insertTransition('lapsed-and-rich', { type: 'segment', code: 'lapsed', at });
  const runId = await insertRun({ type: 'segment', id: String(dependent), code: 'lapsed-and-rich', at });
  const message_id = await insertEmails(1, first);
  await insertStep(runId, 'send', { kind: 'send', channel: 'email', message_id });
  await insertStep(runId, 'credit', { kind: 'credit', intent_id: intent });
  await insertStep(runId, 'mark', { kind: 'tag' });
  await insertDecisions(1, 'run', `${runId}/send`, first);
  await insertDecisions(1, 'intent', intent, first);
  await run(
    `insert into bonus_intent (intent_id, brand_id, player_id, kind, bonus_code, offered, created_at, created_by, state, state_since)
     values ($1, $2, $3, 'bonus', 'WELCOME', false, $4, 'campaign back', 'credited', $4)`,
    intent,
    brand.brand_id,
    playerId,
    first,
  );
  for (const [tag, when] of [
    ['won back', first],
    ['of another run', '2026-05-01T12:00:02Z'],
  ])
    await run(
      `insert into player_tag_change (player_id, brand_id, tag, action, at, changed_by) values ($1, $2, $3, 'add', $4, 'campaign back')`,
      playerId,
      brand.brand_id,
      tag,
      when,
    );
  await insertTransition('reached', { type: 'message', id: String(message_id), at: at + 1 });
  const taggedAt = Date.parse(first) * 1_000;
  await insertTransition('tagged', { type: 'tag', tag: 'won back', by: 'campaign back', at: taggedAt });
  await insertTransition('other', { type: 'tag', tag: 'won back', by: 'ann@example.com', at: taggedAt });

  // The second event starts a run directly. Many entries of the same campaign are newer and have other causes.
  await insertRun({ type: 'event', id: other, kind: 'login', at: at + 2 });
  await insertTransition('other', { type: 'segment', code: 'lapsed', at: at + 3 });
  const later = '2026-05-01T18:00:00Z';
  await insertEmails(250, later);
  await insertDecisions(250, 'run', '1/send', later);
});

test('the effects of an event are found through every chain of causes, however many other entries are newer', async () => {
  const items = await effectsOf(positions[0]);
  const shown = items.map((item: Record<string, unknown>) =>
    [item.type, item.code ?? item.step ?? item.tag ?? item.channel ?? item.bonus_code ?? item.state].join(' '),
  );
  expect(shown).toEqual([
    'segment lapsed',
    'segment lapsed-and-rich',
    'segment reached',
    'segment tagged',
    'run entered',
    'step send',
    'step credit',
    'step mark',
    'decision email',
    'decision email',
    'message email',
    'bonus_intent WELCOME',
    'tag won back',
    'run done',
  ]);
  expect(items[5]).toMatchObject({ type: 'step', campaign: 'back', state: 'done', reason: null });
});

test('an event has no effects of another event', async () => {
  const items = await effectsOf(positions[1]);
  expect(items).toMatchObject([
    { type: 'run', state: 'entered', campaign: 'back', cause: 'event' },
    { type: 'run', state: 'done' },
  ]);
});

const manyOf = {
  segments: (number: number, id: string) => insertTransition('other', { type: 'event', id, at: nextTime++ }, number),
  steps: async (number: number, id: string) => insertStep(await insertRun({ type: 'event', id }), 'mark', {}, number),
  decisions: async (number: number, id: string) => {
    const runId = await insertRun({ type: 'event', id });
    await insertStep(runId, 'send', {});
    await insertDecisions(number, 'run', `${runId}/send`, first);
  },
};

test.each(Object.entries(manyOf))(
  'an event with more than 500 %s shows 500, and that its effects are cut',
  async (kind, insert) => {
    const [whole, cut] = [await publishLogin(), await publishLogin()];
    await insert(500, whole.replaceAll('-', ':'));
    await insert(501, cut.replaceAll('-', ':'));
    const ofWhole = await answerOf(whole);
    const ofCut = await answerOf(cut);
    const count = ({ items }: { items: { type: string }[] }) => items.filter(({ type }) => `${type}s` === kind).length;
    expect([ofWhole.cut, count(ofWhole)]).toEqual([false, 500]);
    expect([ofCut.cut, count(ofCut)]).toEqual([true, 500]);
  },
);

test('a chain of 9 segments is complete, and a chain of 11 segments is cut after 10', async () => {
  const chainOf = async (length: number) => {
    const position = await publishLogin();
    const at = nextTime++;
    await insertTransition('chain-1', { type: 'event', id: position.replaceAll('-', ':'), at });
    for (let link = 2; link <= length; link++)
      await insertTransition(`chain-${link}`, { type: 'segment', code: `chain-${link - 1}`, at });
    const { items, cut } = await answerOf(position);
    return [items.length, cut];
  };
  expect(await chainOf(9)).toEqual([9, false]);
  expect(await chainOf(11)).toEqual([10, true]);
});

test('an event that does not exist is refused', async () => {
  expect((await console.get('/brands/malta/feed/9-9-9/effects')).status).toBe(404);
});
