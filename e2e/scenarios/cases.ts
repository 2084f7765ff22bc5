import type { Campaign, Entry, Step } from '../../packages/campaigns/src/index.ts';
import type { Scenario, ScenarioStep } from '../../packages/platform/src/scenarios/index.ts';
import type { Rule } from '../../packages/rules/src/index.ts';

/*
 * Scenarios that are played twice: in the runner, and in the processes of an installation. Waits take two seconds, or last until
 * one of the next minutes.
 */

/** One action of a case, such as publishing an event. The case states which outcome each deed follows. */
export type Deed = Exclude<ScenarioStep, { after: string } | { until: string } | { expect: unknown }>;

export interface Case {
  name: string;
  /** Code of the case. It is also the player's id and username, and the codes of the campaigns begin with it. */
  code: string;
  /** True if a campaign names one of the next minutes (`Soon`). It is published when this minute is known. */
  isTimed: boolean;
  campaigns: Campaign[];
  player: { country: string; consents: Record<string, boolean> };
  /** The deeds, each with the outcome that it follows, such as `w waiting` or `done`. With null, the deed happens immediately. */
  deeds: readonly [after: string | null, deed: Deed][];
  /** The outcome with which the case ends. */
  ends: string;
}

/** A minute that begins soon, by the clocks of the brand and of the players in `night`. */
export interface Soon {
  /** Date and time by the brand's clock, such as 2026-12-24T18:00. */
  local: string;
  /** Time of day by the brand's clock. */
  brandTime: string;
  /** Time of day by the clock of players in the country `night`. */
  nightTime: string;
}

/** The country of the players for whom it is just after midnight, which is within quiet hours. For all others, it is noon. */
export const night = 'NP';

export const templates = [
  site('hello', 'marketing', 'Hello {{ event.payment_id }}'),
  site('prize', 'marketing', 'You won {{ event.prize }}'),
  site('notice', 'service', 'Please note'),
  {
    code: 'calls',
    name: 'Calls',
    channel: 'telephone',
    purpose: 'marketing',
    content: { en: { list: 'calls', note: 'Call {{ player.user_id }}' } },
  },
] as unknown as NonNullable<Scenario['templates']>;

function site(code: string, purpose: string, title: string) {
  return { code, name: code, channel: 'site', purpose, content: { en: { title, message: 'Welcome' } } };
}

const rule = (field: string, operator: string, value: unknown): Rule =>
  ({ combinator: 'and', rules: [{ field, operator, value }] }) as Rule;
const lastMinute = {
  combinator: 'and',
  rules: [
    {
      field: 'did.login',
      match: { mode: 'atLeast', threshold: 1 },
      within: 'PT1M',
      value: { combinator: 'and', rules: [] },
    },
  ],
} as Rule;

/** Segments of the brand. */
export const segments: NonNullable<Scenario['segments']> = [
  { code: 'payers', rule: rule('trait.deposit_count', '>=', 1) },
  { code: 'strangers', rule: rule('trait.deposit_count', '=', 0) },
  { code: 'just_here', rule: lastMinute },
];

/** Returns rules of contact. For players of `night`, their quiet hours last until one of the next minutes. */
export const contactRules = (soon: Soon) => ({
  quiet_hours: { from: '23:30', to: soon.nightTime },
  frequency_caps: [{ channel: 'site', purpose: 'service', times: 1, within: 'P1D' }],
});

const send = (id: string, template = 'hello'): Step => ({ id, send: { channel: 'site', template } });
const hello = send('hello');
const again = send('again');
const pause: Step = { id: 'pause', wait: { for: 'PT2S' } };
const hour: Step = { id: 'w', wait: { for: 'PT1H' } };
const login: Step = { id: 'w', wait: { event: 'login', timeout: 'PT1H' } };
const approved = rule('status', '=', 'Approved');
const paid: Entry = { event: 'payment', where: approved };
const deposits = (count: number) => rule('trait.deposit_count', '>=', count);
const unlimited = { times: 'unlimited' } as const;

const logIn: Deed = { event: 'login' };
const pay = (payment_id: string, status = 'Approved'): Deed => ({
  event: 'payment',
  body: { payment_id, type: 'Credit', status, amount: 20, currency: 'EUR', exchange_rate: 1 },
});
const withdraw: Deed = { player: { consents: { SiteNotification: false } } };
const exclude: Deed = { player: { excluded: true } };

type Parts = Partial<Omit<Campaign, 'code' | 'name'>> & Pick<Campaign, 'steps'>;
type More = Partial<Pick<Case, 'isTimed' | 'player'>> & { others?: Record<string, Parts> };

/**
 * Returns a campaign of a case. Players enter it by login, unless the case names another entry. Its audience is the player
 * of the case.
 */
function campaign(of: string, parts: Parts, code = of): Campaign {
  return { code, name: code, entry: { event: 'login' }, audience: rule('profile.username', '=', of), ...parts };
}

export function cases(soon: Soon): Case[] {
  const all: Case[] = [];
  function add(name: string, code: string, parts: Parts, deeds: Case['deeds'], ends = 'done', more: More = {}): void {
    const { others = {}, isTimed = false, player = { country: 'MT', consents: {} } } = more;
    const further = Object.entries(others).map(([part, own]) => campaign(code, own, `${code}-${part}`));
    all.push({ name, code, campaigns: [campaign(code, parts), ...further], deeds, ends, isTimed, player });
  }
  const publish = (code: string, parts: Parts, move_runs = false): Deed => ({
    publish: { campaign: campaign(code, parts), move_runs },
  });

  add('a message', 'message', { steps: [hello] }, [[null, logIn]]);
  add('a wait', 'wait', { steps: [pause, hello] }, [[null, logIn]]);
  add('a wait for an event', 'awaits-event', { entry: paid, steps: [login, hello] }, [
    [null, pay('e1')],
    ['w waiting', logIn],
  ]);
  add('a timeout', 'timeout', { steps: [{ id: 'w', wait: { event: 'payment', timeout: 'PT2S' } }, hello] }, [
    [null, logIn],
  ]);
  add(
    'a wait for a rule',
    'awaits-rule',
    { steps: [{ id: 'w', wait: { rule: deposits(1), timeout: 'PT1H' } }, hello] },
    [
      [null, logIn],
      ['w waiting', pay('r1')],
    ],
  );
  add(
    "a wait until a time of the player's day",
    'awaits-time',
    {
      entry: paid,
      steps: [
        { id: 'w', wait: { until: soon.nightTime } },
        { id: 't', tag: 'early' },
      ],
    },
    [[null, pay('t1')]],
    'done',
    { isTimed: true, player: { country: night, consents: {} } },
  );
  add(
    'a branch',
    'branch',
    { steps: [{ id: 'b', branch: [{ when: deposits(1), steps: [hello] }, { otherwise: [{ id: 't', tag: 'new' }] }] }] },
    [[null, logIn]],
  );
  add('a bonus after a wait', 'bonus', { steps: [pause, { id: 'g', credit: { bonus_code: 'B1' } }] }, [[null, logIn]]);
  add(
    'an offer, funds, tags, a list of calls and an exit',
    'effects',
    {
      steps: [
        { id: 'o', offer: { bonus_code: 'B2', expires_in: 'P7D' } },
        { id: 'f', credit_funds: { bonus_code: 'B3', amount: '5.00', currency: 'EUR' } },
        { id: 't', tag: 'vip' },
        { id: 'u', untag: 'vip' },
        { id: 'l', call_list: { template: 'calls' } },
        { id: 'x', exit: { reason: 'enough' } },
      ],
    },
    [[null, logIn]],
    'exited',
  );
  add(
    'a rollback before the first effect',
    'rollback',
    { entry: paid, steps: [hour, hello] },
    [
      [null, pay('b1')],
      ['w waiting', pay('b1', 'Rollback')],
    ],
    'exited',
  );
  add('a rollback after the first effect', 'late-rollback', { entry: paid, steps: [hello, login, again] }, [
    [null, pay('l1')],
    ['w waiting', pay('l1', 'Rollback')],
    [null, logIn],
  ]);
  add(
    'an exclusion',
    'exclusion',
    { steps: [hello, hour, again] },
    [
      [null, logIn],
      ['w waiting', exclude],
    ],
    'exited',
  );
  add('no consent', 'no-consent', { steps: [hello] }, [[null, logIn]], 'done', {
    player: { country: 'MT', consents: { SiteNotification: false } },
  });
  add('a consent that is withdrawn during a wait', 'withdrawal', { entry: paid, steps: [hello, login, again] }, [
    [null, pay('c1')],
    ['w waiting', withdraw],
    [null, logIn],
  ]);
  add('the policy of a market', 'policy', { products: ['casino'], steps: [hello] }, [[null, logIn]], 'done', {
    player: { country: 'GB', consents: {} },
  });
  add(
    'a frequency cap',
    'cap',
    { purpose: 'service', steps: [send('first', 'notice'), pause, send('second', 'notice')] },
    [[null, logIn]],
  );
  add('quiet hours across midnight', 'quiet', { steps: [pause, hello] }, [[null, logIn]], 'done', {
    isTimed: true,
    player: { country: night, consents: {} },
  });
  add(
    'a goal',
    'goal',
    { goal: { event: 'payment' }, steps: [hour, hello] },
    [
      [null, logIn],
      ['w waiting', pay('g1')],
    ],
    'goal_reached',
  );
  add(
    'a goal after the last step',
    'late-goal',
    { goal: { event: 'payment', within: 'PT1H' }, steps: [hello] },
    [
      [null, logIn],
      ['done', pay('g2')],
    ],
    'goal_reached',
  );
  add(
    'exit_when',
    'exit-when',
    { exit_when: deposits(2), entry: paid, steps: [login, hello] },
    [
      [null, pay('x1')],
      ['w waiting', pay('x2')],
      [null, logIn],
    ],
    'exited',
  );
  add('a second entry', 'reentry', { entry: paid, reentry: { times: 2 }, steps: [hello] }, [
    [null, pay('n1')],
    ['done', pay('n2')],
  ]);
  // The code of the campaign and the player's id determine the arm of a player. The test checks that each arm occurs.
  for (const n of [1, 2, 3])
    add(
      `an experiment, player ${n}`,
      `experiment-${n}`,
      {
        goal: { event: 'payment', within: 'PT1H' },
        steps: [
          {
            id: 'split',
            split: [
              { name: 'control', share: 34, control: true },
              { name: 'words', share: 33, steps: [hello] },
              { name: 'money', share: 33, steps: [pause, { id: 'g', credit: { bonus_code: 'B4' } }] },
            ],
          },
        ],
      },
      [
        [null, logIn],
        ['done', pay(`s${n}`)],
      ],
      'goal_reached',
    );
  add(
    'entry by a schedule, once',
    'scheduled',
    { entry: { schedule: { at: soon.local } }, steps: [hello] },
    [],
    'done',
    { isTimed: true },
  );
  add(
    "entry by a schedule, each day of the player's clock",
    'daily',
    { entry: { schedule: { every: 'P1D', at: soon.nightTime, zone: 'player' } }, reentry: unlimited, steps: [hello] },
    [],
    'done',
    { isTimed: true, player: { country: night, consents: {} } },
  );
  add(
    'entry by a schedule, members of a segment',
    'members',
    { entry: { schedule: { every: 'P1D', at: soon.brandTime }, to: 'payers' }, steps: [hello, pause, again] },
    [[null, pay('m1')]],
    'done',
    { isTimed: true },
  );
  add(
    'entry by a segment that is entered',
    'segment-entered',
    { entry: { segment: 'payers', on: 'entered' }, steps: [hello] },
    [[null, pay('i1')]],
  );
  add(
    'entry by a segment that is left',
    'segment-left',
    { entry: { segment: 'strangers', on: 'left' }, steps: [hello] },
    [[null, pay('o1')]],
  );
  add(
    'entry by a segment that is left because time passes',
    'segment-time',
    { entry: { segment: 'just_here', on: 'left' }, steps: [hello] },
    [[null, logIn]],
  );
  add(
    'entry by a call, once for each key',
    'api',
    { entry: { api: true }, reentry: unlimited, steps: [send('p', 'prize')] },
    [
      [null, { enter: { campaign: 'api', key: 'k1', data: { prize: 'a car' } } }],
      ['done', { enter: { campaign: 'api', key: 'k1', data: { prize: 'a boat' } } }],
      [null, { enter: { campaign: 'api', key: 'k2', data: { prize: 'a house' } } }],
    ],
  );
  add(
    'a new version: the open run finishes in the old one, and the next run enters the new one',
    'version',
    {
      entry: paid,
      reentry: { times: 'unlimited', while_running: false },
      steps: [login, hello],
    },
    [
      [null, pay('v1')],
      ['w waiting', publish('version', { entry: paid, reentry: unlimited, steps: [login, send('other')] })],
      [null, logIn],
      ['done', pay('v2')],
      ['w waiting', logIn],
    ],
  );
  add('a new version to which the run moves', 'moved', { entry: paid, steps: [hour, hello] }, [
    [null, pay('d1')],
    ['w waiting', publish('moved', { entry: paid, steps: [pause2s(), hello, again] }, true)],
  ]);
  add('a pause and its end', 'paused', { entry: paid, steps: [login, hello, again] }, [
    [null, pay('p1')],
    ['w waiting', { pause: 'paused' }],
    [null, logIn],
    ['hello held', { resume: 'paused' }],
  ]);
  add(
    'a pause that holds tags, and its end',
    'tags-held',
    { entry: paid, steps: [login, { id: 't', tag: 'vip' }, { id: 'u', untag: 'vip' }, hello] },
    [
      [null, pay('p2')],
      ['w waiting', { pause: 'tags-held' }],
      [null, logIn],
      ['t held', { resume: 'tags-held' }],
    ],
  );
  add(
    'a stop',
    'stopped',
    { steps: [hour, hello] },
    [
      [null, logIn],
      ['w waiting', { stop: 'stopped' }],
    ],
    'exited',
  );
  add(
    'a ramp from 0 to 100 percent',
    'ramp',
    { entry: paid, reentry: unlimited, steps: [hello] },
    [
      [null, { ramp: { campaign: 'ramp', share: 0 } }],
      [null, pay('a1')],
      ['t tagged', { ramp: { campaign: 'ramp', share: 100 } }],
      [null, pay('a2')],
    ],
    'hello sent',
    // This outcome shows that the first payment was processed.
    { others: { mark: { entry: paid, reentry: unlimited, steps: [{ id: 't', tag: 'paid' }] } } },
  );
  add(
    'a halt and its end',
    'halt',
    { entry: paid, halt: { withheld: 0, after: 1 }, steps: [hello, login, { id: 'g', credit: { bonus_code: 'B5' } }] },
    [
      [null, pay('h1')],
      ['halted', logIn],
      ['g held', { resume: 'halt' }],
    ],
    'done',
    { player: { country: 'MT', consents: { SiteNotification: false } } },
  );
  return all;
}

/** Returns the wait of the version to which a run moves. It is short, and starts again when the run moves. */
function pause2s(): Step {
  return { id: 'w', wait: { for: 'PT2S' } };
}
