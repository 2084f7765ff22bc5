import type { Campaign, Step } from '@croupier/campaigns';
import type { Rule, RuleNode } from '@croupier/rules';

/*
 * Twenty campaigns such as a casino with sports and lottery runs at the same time. They start on events of every kind and on
 * segments. They branch, wait, split, and send site messages.
 */

/** The campaign that the bench measures. It immediately sends a message whose title is the id of the payment. */
export const measuredCampaign = 'measured';

/** The messages of all campaigns except the measured one. */
export const templates = [
  {
    code: 'measured',
    name: 'Measured',
    channel: 'site',
    purpose: 'service',
    content: { en: { title: '{{ event.payment_id }}' } },
  },
  { code: 'care', name: 'Care', channel: 'site', purpose: 'service', content: { en: { title: 'Take a break' } } },
  {
    code: 'news',
    name: 'News',
    channel: 'site',
    content: { en: { title: 'Hello {{ player.first_name | default: "there" }}' } },
  },
];

const all = (...rules: RuleNode[]): Rule => ({ combinator: 'and', rules });
const is = (field: string, value: unknown): RuleNode => ({ field, operator: '=', value });
const atLeast = (field: string, value: unknown): RuleNode => ({ field, operator: '>=', value });
const send: Step = { id: 'send', send: { channel: 'site', template: 'news' } };
const later = (wait: string): Step[] => [send, { id: 'pause', wait: { for: wait } }, { ...send, id: 'again' }];
const deposit = all(is('status', 'Approved'), is('type', 'Credit'));
const unlimited = { times: 'unlimited', while_running: true } as const;

type Part = Pick<Campaign, 'entry' | 'steps'> & Partial<Campaign>;
const byCode: Record<string, Part> = {
  [measuredCampaign]: {
    entry: { event: 'payment', where: deposit },
    audience: all(atLeast('trait.deposit_count', 1)),
    reentry: unlimited,
    purpose: 'service',
    steps: [{ id: 'send', send: { channel: 'site', template: 'measured' } }],
  },
  welcome: {
    entry: { event: 'payment', where: deposit },
    audience: all(is('trait.deposit_count', 1)),
    steps: later('PT1H'),
  },
  failed_deposit: {
    entry: { event: 'payment', where: all(is('status', 'Rejected')) },
    steps: [{ id: 'wait', wait: { event: 'payment', where: deposit, timeout: 'PT10M' } }, send],
  },
  big_win: {
    entry: { event: 'round', where: all(atLeast('base_win', 500)) },
    reentry: { after: 'P1D' },
    steps: [send],
  },
  high_multiplier: {
    entry: { event: 'round', where: all(atLeast('multiplier', 100)) },
    reentry: { after: 'P1D' },
    steps: [send],
  },
  long_odds: { entry: { event: 'bet', where: all(atLeast('odds', 10)) }, reentry: { after: 'P1D' }, steps: [send] },
  live_moment: {
    entry: { event: 'bet', where: all(is('live', true)) },
    audience: all(is('segment.sports_only', true)),
    steps: [send],
  },
  lottery_follow_up: {
    entry: { event: 'cart' },
    steps: [{ id: 'wait', wait: { event: 'ticket', timeout: 'PT1H' } }, send],
  },
  ticket_thanks: { entry: { event: 'ticket' }, reentry: { after: 'P7D' }, steps: [send] },
  first_login: { entry: { event: 'login' }, audience: all(is('trait.deposit_count', 0)), steps: later('P1D') },
  back_again: { entry: { event: 'login' }, audience: all(atLeast('trait.days_since_bet', 30)), steps: [send] },
  bonus_granted: { entry: { event: 'bonus' }, steps: later('P1D') },
  vip: { entry: { segment: 'vip', on: 'entered' }, steps: [send] },
  slipping_away: { entry: { segment: 'slipping_away', on: 'entered' }, steps: later('P3D') },
  big_loss: {
    entry: { segment: 'big_loss_1h', on: 'entered' },
    purpose: 'service',
    reentry: { after: 'P1D' },
    steps: [{ id: 'send', send: { channel: 'site', template: 'care' } }],
  },
  failed_twice: { entry: { segment: 'deposit_failed_twice_1h', on: 'entered' }, steps: [send] },
  played_no_more: { entry: { segment: 'played_today', on: 'left' }, steps: [send] },
  halves: {
    entry: { segment: 'one_deposit', on: 'entered' },
    steps: [
      {
        id: 'test',
        split: [
          { name: 'control', share: 20, control: true },
          { name: 'now', share: 40, steps: [send] },
          {
            name: 'later',
            share: 40,
            steps: [
              { id: 'pause', wait: { for: 'PT1H' } },
              { ...send, id: 'send_later' },
            ],
          },
        ],
      },
    ],
  },
  by_country: {
    entry: { event: 'payment', where: deposit },
    steps: [
      {
        id: 'where',
        branch: [
          { when: all(is('profile.country', 'MT')), steps: [send] },
          { otherwise: [{ id: 'mark', tag: 'abroad' }] },
        ],
      },
    ],
  },
  registered: {
    entry: { event: 'registration' },
    goal: { event: 'payment', where: deposit, within: 'P7D' },
    steps: later('P1D'),
  },
};

export const twentyCampaigns: readonly Campaign[] = Object.entries(byCode).map(([code, part]) => ({
  code,
  name: code,
  ...part,
}));
