import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { pageOfList } from '../../../../console/src/ui/page-of-list.ts';
import { type AlarmFacts, alarmsOf } from './alarms.ts';

const second = 1_000_000;
const minute = 60 * second;
const now = 1_000_000 * minute;

const noConcerns = { budgets_near_limit: [], funds_without_rate: 0, resolutions_failing: 0 };

const quiet: AlarmFacts = {
  now,
  clocks: [{ process: 'worker-1', offset_ms: 5_000 }],
  oldest_pending_at: null,
  quarantined: 0,
  removals: { expiring: 0, first_at: null, nearly_full: null },
  parked_players: 0,
  segments: { buckets: [], since: null, reason: null },
  segment_players: { players: 0, since: null, reason: null },
  failing_endpoints: [],
  open_circuits: [],
  players_not_synchronized: 0,
  intents: [],
  money: noConcerns,
  messages: { held: 0, oldest_at: null },
  push: { unreadable: null },
  campaigns: { stopped: [], unchecked: [] },
  spoiled_runs: [],
  write_backs: { waiting: 0, oldest_waiting_at: null, failing: 0, contradicted: 0 },
  kinds: [{ kind: 'login', events: 1_000, last_received_at: now - minute, notes: [] }],
};

function codes(facts: Partial<AlarmFacts>): string[] {
  return alarmsOf({ ...quiet, ...facts }).map(({ code, severity }) => `${severity} ${code}`);
}

const failing = (failures_in_a_row: number) => [
  { endpoint: 'userdetails', failures_in_a_row, failing_since: now - minute },
];
const waitingSince = (minutesAgo: number) => {
  return { waiting: 1, oldest_waiting_at: now - minutesAgo * minute, failing: 1, contradicted: 0 };
};
const logins = (events: number, minutesAgo: number) => [
  { kind: 'login' as const, events, last_received_at: now - minutesAgo * minute, notes: [] },
];

const waitingIntents = (state: string, minutes: number) => [{ state, count: 1, oldest_at: now - minutes * minute }];

describe('alarms', () => {
  const cases: [name: string, facts: Partial<AlarmFacts>, alarms: string[]][] = [
    ['no problems', {}, []],
    ['derive is a moment behind', { oldest_pending_at: now - 4 * second }, []],
    ['derive is 5 s behind', { oldest_pending_at: now - 5 * second }, ['warning lag']],
    ['derive is a minute behind', { oldest_pending_at: now - minute }, ['critical lag']],
    ['a clock is 5 s off', { clocks: [{ process: 'worker-1', offset_ms: -5_001 }] }, ['warning clock_apart']],
    ['a clock is a minute off', { clocks: [{ process: 'worker-1', offset_ms: 60_000 }] }, ['warning clock_apart']],
    ['a clock is wrong', { clocks: [{ process: 'worker-1', offset_ms: 60_001 }] }, ['critical clock_wrong']],
    ['events wait in quarantine', { quarantined: 3 }, ['warning quarantine']],
    [
      'events in quarantine are about to be removed',
      { removals: { expiring: 2, first_at: now, nearly_full: null } },
      ['warning quarantine_expiring'],
    ],
    [
      'the quarantine is nearly full',
      { removals: { expiring: 0, first_at: null, nearly_full: 90_000 } },
      ['warning quarantine_full'],
    ],
    [
      'segments of a bucket are not updated',
      { segments: { buckets: [7], since: now, reason: 'no memory' } },
      ['critical segments_failing'],
    ],
    [
      'segments of a player are not updated',
      { segment_players: { players: 1, since: now, reason: 'cannot be processed: x' } },
      ['critical segment_players_failing'],
    ],
    ['a player is parked', { parked_players: 1 }, ['critical parked']],
    ['a few wrong session ids arrive', { session_checks: { answered: 19, last_valid_at: null } }, []],
    ['a session id was valid recently', { session_checks: { answered: 500, last_valid_at: now - 59 * minute } }, []],
    [
      'no session id was valid for an hour',
      { session_checks: { answered: 20, last_valid_at: now - 60 * minute } },
      ['critical sessions_refused'],
    ],
    [
      'no session id was ever valid',
      { session_checks: { answered: 20, last_valid_at: null } },
      ['critical sessions_refused'],
    ],
    ['a call failed', { failing_endpoints: failing(4) }, []],
    ['an endpoint is down', { failing_endpoints: failing(5) }, ['critical operator_failing']],
    [
      'an endpoint is not called',
      {
        failing_endpoints: failing(20),
        open_circuits: [
          { endpoint: 'userdetails', state: 'open', open_since: now },
          { endpoint: 'userconsents', state: 'paused', open_since: null },
        ],
      },
      ['critical circuit_open'],
    ],
    ['players could not be looked up', { players_not_synchronized: 2 }, ['warning sync_problems']],
    ['a bonus waits for a person', { intents: waitingIntents('needs_person', 1) }, ['critical bonuses_need_person']],
    ['a bonus is unknown for 59 min', { intents: waitingIntents('unknown', 59) }, []],
    ['a bonus is unknown for an hour', { intents: waitingIntents('unknown', 60) }, ['warning bonuses_unknown']],
    [
      'a budget is near its limit',
      { money: { ...noConcerns, budgets_near_limit: ['Spring'] } },
      ['warning budgets_near_limit'],
    ],
    ['funds have no rate', { money: { ...noConcerns, funds_without_rate: 1 } }, ['warning funds_without_rate']],
    ['a resolution fails', { money: { ...noConcerns, resolutions_failing: 1 } }, ['warning resolutions_failing']],
    ['a withdrawal waits for its turn', { write_backs: waitingSince(9) }, []],
    ['a withdrawal is not stored for 10 min', { write_backs: waitingSince(10) }, ['warning write_backs_waiting']],
    [
      'an operator answers without storing',
      { write_backs: { waiting: 0, oldest_waiting_at: null, failing: 0, contradicted: 1 } },
      ['critical write_backs_contradicted'],
    ],
    ['a message is held for a look-up', { messages: { held: 1, oldest_at: now - 10 * minute + 1 } }, []],
    [
      'a message is held for 10 min',
      { messages: { held: 1, oldest_at: now - 10 * minute } },
      ['warning messages_held'],
    ],
    [
      'the secret was changed, and the push keys are those of the old secret',
      { push: { unreadable: { isCurrent: true, devices: 3 } } },
      ['critical push_keys_unreadable'],
    ],
    [
      'the limits of a live campaign cannot be checked',
      { campaigns: { stopped: [], unchecked: [{ code: 'welcome', reason: 'timeout', since: now - minute }] } },
      ['critical campaign_unchecked'],
    ],
    [
      'runs failed because of their data',
      { spoiled_runs: [{ code: 'welcome', runs: 2, reason: 'cannot be processed: x', since: now - minute }] },
      ['warning campaign_runs_spoiled'],
    ],
    ['a busy kind pauses for 30 min', { kinds: logins(1_000, 30) }, []],
    ['a busy kind is silent', { kinds: logins(1_000, 31) }, ['warning silence']],
    ['a kind with 100 events a day pauses for 4.8 h', { kinds: logins(100, 288) }, []],
    ['a kind with 100 events a day is silent for longer', { kinds: logins(100, 289) }, ['warning silence']],
    [
      'funds that the platform credited have paused',
      { kinds: [{ kind: 'funds_credited', events: 1_000, last_received_at: now - 600 * minute, notes: [] }] },
      [],
    ],
    ['a rare kind is never silent', { kinds: logins(99, 1_400) }, []],
  ];
  test.each(cases)('%s', (_name, facts, expected) => {
    expect(codes(facts)).toEqual(expected);
  });

  test('the alarm of a halted campaign gives the reason in both languages', () => {
    const reason = '6 of 100 runs failed; the limit is 5 percent';
    const stopped = [{ code: 'welcome', state: 'paused' as const, reason, since: now }];
    const [alarm] = alarmsOf({ ...quiet, campaigns: { stopped, unchecked: [] } });
    expect(alarm?.message('en')).toMatch(
      'The campaign welcome halted: 6 of 100 runs failed; the limit is 5 percent. No',
    );
    expect(alarm?.message('de')).toMatch('(Fehlgeschlagene Durchgänge: 6 von 100; die Grenze ist 5 Prozent). Kein');
  });

  test('every alarm has a list that the console shows on a page, except alarms about a process', async () => {
    const app = new URL('../../../../console/src/app/', import.meta.url);
    const routes = await Promise.all(
      ['router.tsx', 'operations-routes.tsx'].map((file) => readFile(new URL(file, app), 'utf8')),
    );
    const pages = [...routes.join('').matchAll(/(?:path: |page\(\s*)'\/?([^']+)'/g)].map(
      ([, path = '']) => new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}$`),
    );
    const noted = (['conflicts', 'orphans', 'unpriced_rounds', 'late'] as const).map((code) => {
      const notes = [{ code, message: () => 'noted', setting: null }];
      return { kinds: [{ kind: 'casino' as const, events: 10, last_received_at: now, notes }] };
    });
    const stopped = [{ code: 'welcome', state: 'failed' as const, reason: 'noted', since: now }];
    const facts = [...cases.map(([, given]) => given), ...noted, { campaigns: { stopped, unchecked: [] } }];
    for (const { code, list } of facts.flatMap((given) => alarmsOf({ ...quiet, ...given }))) {
      if (code === 'clock_wrong' || code === 'clock_apart') continue;
      const page = pageOfList(list ?? 'none');
      expect(page, `the alarm ${code} names the list ${list}`).toBeDefined();
      expect(
        pages.some((path) => path.test(page?.to ?? '')),
        `the page ${page?.to} exists`,
      ).toBe(true);
    }
  });

  test('critical alarms come first, and each names the list behind it', () => {
    const alarms = alarmsOf({
      ...quiet,
      quarantined: 1,
      parked_players: 2,
      kinds: [
        {
          kind: 'casino',
          events: 10,
          last_received_at: now,
          notes: [{ code: 'conflicts', message: () => '5 of 10 events', setting: 'casino_activity_key' }],
        },
      ],
    });
    expect(alarms.map(({ code, list }) => [code, list])).toEqual([
      ['parked', '/parked'],
      ['quarantine', '/quarantine?state=open'],
      ['conflicts', '/conflicts?kind=casino'],
    ]);
  });
});
