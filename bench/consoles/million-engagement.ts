import type { Campaign } from '@croupier/campaigns';
import type { Rule, RuleNode } from '@croupier/rules';
import { until } from '../../faults/installation/until.ts';
import { fillCampaign } from '../campaigns/fill.ts';
import { consoleCall } from '../console-call.ts';
import { publishEvent } from '../load/publish-event.ts';
import type { BenchPlatform } from '../platform.ts';
import { publishSegments } from '../segments/publish.ts';

/** The player who really enters the campaign. The operator must know this player, with a consent to site messages. */
export const enteringPlayer = 'enters-the-campaign';
/** A segment of all players, another one of those who deposited, and a campaign with a run of every player. */
export const everybody = 'everybody';
export const depositors = 'depositors';
export const million = 'million';

const only = (rule: RuleNode): Rule => ({ combinator: 'and', rules: [rule] });
const deposits = (count: number) => only({ field: 'trait.deposit_count', operator: '>=', value: count });

const segments = [
  { code: everybody, rule: only({ field: 'trait.deposit_count', operator: '>=', value: 0 }) },
  { code: depositors, rule: deposits(1) },
];
const template = {
  code: 'hello',
  name: 'Hello',
  channel: 'site',
  purpose: 'service',
  content: { en: { title: 'Hello', message: 'A message of common length.' } },
};
const campaign: Campaign = {
  code: million,
  name: 'Million',
  purpose: 'service',
  entry: { api: true },
  steps: [{ id: 'send', send: { channel: 'site', template: 'hello' } }],
};
const runLimitMs = 60_000;

/**
 * Fills the lists of segments, runs, messages, decisions and bonuses. The platform computes the segments, and one player really
 * enters the campaign. SQL statements create the rest: for every player a run with a message, a decision and a transition, for
 * every second player an e-mail, and for each of the others an SMS and a credited bonus.
 */
export async function seedEngagement(platform: BenchPlatform): Promise<void> {
  const { pool } = platform;
  await publishSegments(platform, segments);
  await consoleCall(platform, 'PUT', `segments/${depositors}`, { rule: deposits(2) });
  await consoleCall(platform, 'POST', 'templates', template);
  await consoleCall(platform, 'POST', 'campaigns', campaign);
  await consoleCall(platform, 'POST', `campaigns/${million}/publish`, {});
  await enterCampaign(platform);
  await fillCampaign(pool, million, { country: null });
  for (const statement of [transitions, decisions, emails, texts, intents, attempts]) await pool.query(statement);
  await pool.query(
    'vacuum (analyze) segment_transition, segment_member, segment_due, gate_decision, email_message, called_message, bonus_intent, bonus_attempt',
  );
}

/** One player logs in, which creates the player, enters the campaign, and gets its message. */
async function enterCampaign(platform: BenchPlatform): Promise<void> {
  const { pool } = platform;
  await publishEvent(platform, '/v2/integration/login', {
    user_id: enteringPlayer,
    timestamp: new Date().toISOString(),
  });
  const isStored = (query: string) => async () => (await pool.query(query)).rows.length > 0;
  const limits = { limitMs: runLimitMs, everyMs: 100 };
  await until('the player', isStored(`select from player where user_id = '${enteringPlayer}'`), limits);
  await consoleCall(platform, 'POST', `campaigns/${million}/enter`, { user_id: enteringPlayer, key: 'first' });
  await until('the first run to finish', isStored("select from campaign_run where state = 'done'"), limits);
}

/** When something happened to a player: within the last 55 days. */
const pastMoment = 'now() - make_interval(mins => (p.player_id % 80000)::int)';

const transitions = `
  insert into segment_transition (brand_id, player_id, segment_id, version, transition, at, cause, silent)
  select s.brand_id, m.player_id, s.segment_id, 1, 'entered', at, jsonb_build_object('type', 'time', 'at', (extract(epoch from at) * 1000000)::bigint), true
    from segment_member m join segment_version v using (version_id) join segment s using (segment_id)
   join player p using (player_id) cross join lateral (select ${pastMoment} as at) t
   order by m.player_id`;

/** Copies of the decision about the message that was really sent, one for each message. One in twenty was withheld. */
const decisions = `
  with sample as (select * from gate_decision order by decision_id limit 1)
  insert into gate_decision (decision_id, brand_id, player_id, channel, purpose, outcome, reason, cause_kind, cause_id, rule_version,
                             inputs, inputs_sha256, age_ms, decided_at)
  select id_in_bucket(nextval('gate_decision_number'), p.player_id), s.brand_id, p.player_id, s.channel, s.purpose,
         case when p.player_id % 20 = 0 then 'withheld' else 'allowed' end, case when p.player_id % 20 = 0 then 'no_consent' end,
         s.cause_kind, p.message_id::text, s.rule_version, s.inputs, s.inputs_sha256, s.age_ms, ${pastMoment}
    from notification p cross join sample s where p.campaign_id = '${million}' order by p.player_id`;

const sentMessage = `id_in_bucket(nextval('notification_number'), p.player_id), p.brand_id, p.player_id, 'marketing', '${million}', 'hello', 1, 'en'`;
const sentColumns =
  'message_id, brand_id, player_id, purpose, campaign_id, template_code, version_of_template, language';

const emails = `
  insert into email_message (${sentColumns}, subject, html, plain, created_at, created_by, expires_at, state, attempts, sent_at, ended_at)
  select ${sentMessage}, 'Hello', repeat('<p>A paragraph of common length.</p>', 30), repeat('A paragraph of common length. ', 30),
         at, 'campaign', at + interval '1 day', case when p.player_id % 200 = 0 then 'failed' else 'sent' end, 1, at, at
    from player p cross join lateral (select ${pastMoment} as at) t where p.player_id / 64 % 2 = 0 order by p.player_id`;

const texts = `
  insert into called_message (${sentColumns}, channel, target, content, parts, created_at, created_by, expires_at, state, attempts, sent_at, ended_at)
  select ${sentMessage}, 'sms', '', jsonb_build_object('text', 'Hello'), 1, at, 'campaign', at + interval '1 day', 'sent', 1, at, at
    from player p cross join lateral (select ${pastMoment} as at) t where p.player_id / 64 % 2 = 1 order by p.player_id`;

/** The last byte of an intent's id contains the bucket of its player. */
const intents = `
  insert into bonus_intent (intent_id, brand_id, player_id, kind, bonus_code, activity_id, offered, created_at, created_by, state, state_since, attempts)
  select (left(gen_random_uuid()::text, 34) || to_hex(192 + p.player_id % 64))::uuid, p.brand_id, p.player_id, 'bonus', 'WELCOME', '${million}',
         false, at, 'campaign', 'credited', at, 1
    from player p cross join lateral (select ${pastMoment} as at) t where p.player_id / 64 % 2 = 1 order by p.player_id`;

const attempts = `
  insert into bonus_attempt (intent_id, attempt_no, player_id, claim, process, started_at, request, outcome, took_ms, ended_at, answer_status)
  select intent_id, 1, player_id, 0, 'bench', created_at, '{"method": "POST", "path": "/bonus/credit"}', 'credited', 40, created_at, 200
    from bonus_intent where activity_id = '${million}'`;
