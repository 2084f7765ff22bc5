import { beforeAll, describe, expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';

const console = await setupConsole();
const { pool, brand } = console;

/** More than a page of the API may hold. */
const newer = 250;

/**
 * One insert for each list that the timeline merges. $1 is the player, $2 the brand. `moment` has two rows in March, both at the same
 * time, and 250 in May: ten at each time, and the same times in every list.
 */
const moment = `(select n, case when n <= 2 then '2026-03-15T10:00:00Z'::timestamptz
                                else '2026-05-01T10:00:00Z'::timestamptz + (n / 10) * interval '1 second' end as at
                   from generate_series(1, ${newer + 2}) n) m`;
const messageId = "id_in_bucket(nextval('notification_number'), $1)";
const inserts: Record<string, string> = {
  decision: `insert into gate_decision (decision_id, brand_id, player_id, channel, purpose, outcome, cause_kind, cause_id, rule_version,
      inputs, inputs_sha256, decided_at)
    select id_in_bucket(nextval('gate_decision_number'), $1), $2, $1, 'email', 'marketing', 'allowed', 'message', n::text, 1, '{}',
      sha256(''), at from ${moment}`,
  message: `insert into notification (message_id, brand_id, player_id, channel, purpose, event, display_type, title, message,
      preview_text, footer_text, data, cta_button_link, cta_button_text, cta_button2_link, cta_button2_text, image_url, created_at,
      created_by, state, state_since, live_at)
    select ${messageId}, $2, $1, 'site', 'service', 'inbox', 'silent', 't', 'm', '', '', '{}', '', '', '', '', '', at, 'a test',
      (array['expired', 'live', 'withheld'])[n % 3 + 1], at, at from ${moment}`,
  email: `insert into email_message (message_id, brand_id, player_id, purpose, subject, html, plain, created_at, created_by, expires_at,
      state, sent_at)
    select ${messageId}, $2, $1, 'service', '', '', '', at - interval '1 day', 'a test', at, 'sent', at from ${moment}`,
  sms: `insert into called_message (message_id, brand_id, player_id, channel, target, purpose, content, created_at, created_by,
      expires_at, state, ended_at)
    select ${messageId}, $2, $1, 'sms', '', 'service', '{}', at - interval '1 day', 'a test', at, 'failed', at from ${moment}`,
  telephone: `insert into list_entry (message_id, brand_id, player_id, channel, list, purpose, note, created_at, created_by,
      expires_at, state)
    select ${messageId}, $2, $1, 'telephone', '', 'service', '', at, 'a test', at, 'waiting' from ${moment}`,
  bonus_intent: `insert into bonus_intent (intent_id, brand_id, player_id, kind, bonus_code, offered, created_at, created_by, state,
      state_since)
    select gen_random_uuid(), $2, $1, 'bonus', 'WELCOME', false, at - interval '1 day', 'a test', 'credited', at from ${moment}`,
  run: `insert into campaign_run (player_id, brand_id, campaign_id, version_id, cause_key, cause, state, position, entered_at, moved_at)
    select $1, $2, 1, 1, n::text, '{"type": "api", "at": 0}', 'done', '{}', at - interval '1 minute', at from ${moment}`,
  segment: `insert into segment_transition (brand_id, player_id, segment_id, version, transition, at, cause, silent)
    select $2, $1, 1, 1, 'entered', at, '{"type": "time", "at": 0}', true from ${moment}`,
  tag: `insert into player_tag_change (player_id, brand_id, tag, action, at, changed_by)
    select $1, $2, 'tag ' || n, 'add', at, 'a test' from ${moment}`,
  change: `insert into write_back_item (change_id, brand_id, player_id, record, type_key, type, wanted, source, changed_at, latest, state)
    select n, $2, $1, 'consents', 'email', 'Email', false, 'staff', at, false, 'superseded' from ${moment}`,
  transition: `insert into protection_transition (brand_id, player_id, kind, consent_type, source, at, received_at)
    select $2, $1, 'consent_given', 'Email', 'staff', at, at from ${moment}`,
  staff: `insert into console_audit (at, actor, brand_id, action, subject)
    select at, 'ann@example.com', $2, 'player.refreshed', 'player ' || $1 from ${moment}`,
};
/** Number of timeline entries for each of these rows. A run has two: its beginning and its end. */
const entriesOf = (list: string) => (list === 'run' ? 2 : 1);
const lists = Object.keys(inserts).flatMap((list) => Array<string>(entriesOf(list)).fill(list)).length;

interface Item {
  type: string;
  at: string;
  channel?: string;
}

const timeline = async (query: string): Promise<{ items: Item[]; next: string | null }> => {
  const { status, body } = await console.get(`/brands/malta/players/busy/timeline?${query}`);
  expect(status).toBe(200);
  return body;
};

/** The pages of the timeline, as the console loads them. */
async function pages(query: string): Promise<Item[][]> {
  const read: Item[][] = [];
  const seen = new Set<string>();
  for (let next: string | null = ''; next !== null; ) {
    if (seen.has(next)) throw new Error('the pages repeat');
    seen.add(next);
    const page = await timeline(`${query}${next === '' ? '' : `&cursor=${next}`}`);
    read.push(page.items);
    next = page.next;
  }
  return read;
}

beforeAll(async () => {
  for (const timestamp of ['2026-03-15T10:00:00Z', '2026-05-01T11:00:00Z', '2026-05-01T10:00:05Z'])
    await console.publish('login', { user_id: 'busy', timestamp });
  await console.derive();
  const { rows } = await pool.query<{ player_id: number }>("select player_id from player where user_id = 'busy'");
  for (const [list, statement] of Object.entries(inserts)) {
    await pool.query(statement, [rows[0]?.player_id, brand.brand_id]).catch((error: Error) => {
      throw new Error(`${list}: ${error.message}`);
    });
  }
});

describe('the timeline of a player with 250 newer entries in each list', () => {
  const march = 'from=2026-03-01T00:00:00Z&to=2026-03-31T23:59:59Z';

  test('contains every entry of an earlier month', async () => {
    const { items, next } = await timeline(`${march}&limit=200`);
    expect(next).toBeNull();
    const found = (type: string) => items.filter((item) => item.type === type).length;
    for (const list of ['decision', 'bonus_intent', 'segment', 'tag', 'change', 'transition', 'staff'])
      expect([list, found(list)]).toEqual([list, 2]);
    expect(found('run')).toBe(4);
    expect(found('event')).toBe(1);
    expect(items.flatMap((item) => (item.type === 'message' ? (item.channel ?? []) : [])).toSorted()).toEqual(
      ['site', 'email', 'sms', 'telephone'].flatMap((channel) => [channel, channel]).toSorted(),
    );
  });

  test.each([
    'decision',
    'message',
    'run',
    'segment',
    'tag',
    'change',
    'transition',
    'bonus_intent',
    'staff',
    'effect',
  ])('lists exactly the entries of the kind %s', async (kind) => {
    const all = (await timeline(`${march}&limit=200`)).items;
    const expected = all.filter(({ type }) =>
      kind === 'effect' ? type !== 'event' && type !== 'staff' : type === kind,
    );
    expect(expected.length).toBeGreaterThan(1);
    // Page borders are between entries of equal times.
    expect((await pages(`${march}&kind=${kind}&limit=1`)).flat()).toEqual(expected);
  });

  test('has pages that contain every entry once, newest first', async () => {
    const whole = await pages('limit=200');
    const items = whole.flat();
    expect(whole.slice(0, -1).every(({ length }) => length === 200)).toBe(true);
    expect(items).toHaveLength(lists * (newer + 2) + 3);
    expect(items.map(({ at }) => at)).toEqual(
      items
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    );
    // Other borders, the same order.
    expect((await pages('limit=187')).flat()).toEqual(items);
  });

  test('includes both bounds', async () => {
    const second = 'from=2026-05-01T10:00:05Z&to=2026-05-01T10:00:05Z';
    // The runs entered a minute before they ended.
    expect((await pages(`${second}&limit=7`)).flat()).toHaveLength((lists - 1) * 10 + 1);
    const { items } = await timeline('from=2026-05-01T10:00:05.000001Z&to=2026-05-01T10:00:05.999999Z');
    expect(items).toEqual([]);
  });

  test('refuses a cursor whose key does not fit its list', async () => {
    for (const place of [
      { at: 1, source: 'decision', key: 'x' },
      { at: 1, source: 'bonus_intent', key: '7' },
      { at: 1, source: 'event', key: '1:2' },
      { at: 1, source: 'other', key: 1 },
    ]) {
      const cursor = Buffer.from(JSON.stringify(['timeline', place])).toString('base64url');
      expect((await console.get(`/brands/malta/players/busy/timeline?cursor=${cursor}`)).status).toBe(400);
    }
  });
});
