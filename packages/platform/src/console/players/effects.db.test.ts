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

async function insertTransition(segment: string, cause: object): Promise<number> {
  return idOf(
    `insert into segment_transition (brand_id, player_id, segment_id, version, transition, at, cause, silent)
     select $1, $2, segment_id, 1, 'entered', $3, $4, false from segment where code = $5 returning transition_id as id`,
    brand.brand_id,
    playerId,
    first,
    cause,
    segment,
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

const insertStep = (runId: number, step: string, effect: object) =>
  run(
    `insert into campaign_run_step (player_id, run_id, campaign_id, version_id, step, state, at, effect)
     values ($1, $2, 1, 1, $3, 'done', $4, $5)`,
    playerId,
    runId,
    step,
    first,
    effect,
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

const effectsOf = async (position: string | undefined) => {
  const { status, body } = await console.get(`/brands/malta/feed/${position}/effects`);
  expect(status).toBe(200);
  return body.items;
};

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
  for (const code of ['lapsed', 'lapsed-and-rich', 'reached', 'tagged', 'other'])
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

test('an event that does not exist is refused', async () => {
  expect((await console.get('/brands/malta/feed/9-9-9/effects')).status).toBe(404);
});
