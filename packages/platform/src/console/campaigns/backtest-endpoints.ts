import { Type } from 'typebox';
import { backtestCounts, backtestStates } from '../../scenarios/index.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { Moment, Money, Nullable } from '../routing/fields.ts';
import { CampaignParams } from './params.ts';

const strict = { additionalProperties: false };
const tag = 'Campaigns';
const path = '/brands/:brand/campaigns/:code/backtests';
const Params = Type.Object({
  ...CampaignParams.properties,
  backtest_id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
});
const Reasons = Type.Record(Type.String(), Type.Integer(), { description: 'Effects by reason' });
const Sums = Type.Record(Type.String(), Money, { description: 'Funds by currency' });
const cost = {
  cost: Type.String({
    description: 'Cost of the credits and offers, in base currency, exact. Those of `unknown_cost` are not included',
  }),
  unknown_cost: Type.Integer({
    description:
      'Credits and offers without a known cost: bonuses without a value in a budget, and funds in another currency',
  }),
};
const Counts = Type.Object(
  Object.fromEntries(backtestCounts.map((one) => [one, Type.Integer()])) as Record<
    (typeof backtestCounts)[number],
    ReturnType<typeof Type.Integer>
  >,
  {
    description:
      'entered, done, exited, goal_reached, failed: runs. A run that reaches its goal after its last step counts only as goal_reached. sent, credited, withheld, held: effects; a held one is counted again when it is sent or withheld. control: runs of a control arm',
  },
);

const backtest = {
  backtest_id: Type.Integer(),
  state: Type.Enum([...backtestStates]),
  reason: Nullable(Type.String({ description: 'Why it failed' })),
  version: Type.Integer({ description: 'Version of the campaign' }),
  from: Moment,
  until: Moment,
  progress: Type.Number({ description: 'Progress from 0 to 1' }),
  share: Type.Number({
    description: 'Share of the candidates that was tried, 0 to 1. Below 1, the counts are those of a sample',
  }),
  candidates: Nullable(Type.Integer({ description: 'Players who may have entered; an estimate if share is below 1' })),
  tried: Type.Integer({ description: 'Players tried so far' }),
  skipped: Type.Integer({ description: 'Players who could not be tried: they have too many events' }),
  created_at: Moment,
  created_by: Type.String(),
  finished_at: Nullable(Moment),
  totals: Counts,
  withheld: Reasons,
  credited_sums: Sums,
  ...cost,
};
const Listed = Type.Object(backtest);
const Whole = Type.Object({
  ...backtest,
  days: Type.Array(
    Type.Object({
      day: Type.String({ description: "Day in the brand's time zone, YYYY-MM-DD" }),
      counts: Counts,
      withheld: Reasons,
      credited_sums: Sums,
      ...cost,
    }),
  ),
  steps: Type.Array(
    Type.Object({
      step: Type.String(),
      what: Type.String({ description: 'Kind of the step' }),
      outcome: Type.String(),
      reason: Nullable(Type.String()),
      variant: Nullable(Type.String()),
      count: Type.Integer(),
    }),
  ),
});

export const startBacktestEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/campaigns/:code/backtest',
  tag,
  summary: 'Try a campaign on the events of the past days',
  description:
    'The draft, or the published version if there is none. Returns immediately. A worker tries players one by one, in the order of a hash, until all of them or `players` are tried. Nothing is sent.',
  may: 'campaign.backtest',
  conflict:
    'Players enter the campaign by calls, which are not in the ledger; or the brand has three unfinished backtests',
  params: CampaignParams,
  body: Type.Object(
    {
      days: Type.Integer({
        minimum: 1,
        maximum: 90,
        default: 7,
        description: "Number of past whole days in the brand's time zone. Today so far is added",
      }),
      players: Type.Integer({
        minimum: 1,
        maximum: 20_000,
        default: 1_000,
        description: 'Maximum number of players to try',
      }),
      version: Type.Optional(Type.Enum(['draft', 'published'])),
    },
    strict,
  ),
  status: 202,
  answer: Whole,
});

export const listBacktestsEndpoint = endpoint({
  method: 'GET',
  path,
  tag,
  summary: 'Backtests of a campaign, newest first. The last ten are kept',
  may: 'brand.read',
  params: CampaignParams,
  status: 200,
  answer: Type.Object({ items: Type.Array(Listed), next: Type.Null() }),
});

export const readBacktestEndpoint = endpoint({
  method: 'GET',
  path: `${path}/:backtest_id`,
  tag,
  summary: 'One backtest, by day and by step',
  may: 'brand.read',
  params: Params,
  status: 200,
  answer: Whole,
});

export const cancelBacktestEndpoint = endpoint({
  method: 'POST',
  path: `${path}/:backtest_id/cancel`,
  tag,
  summary: 'End a backtest. Its results so far are kept',
  may: 'campaign.backtest',
  conflict: 'The backtest has ended',
  params: Params,
  status: 200,
  answer: Whole,
});

export const listBacktestEntriesEndpoint = endpoint({
  method: 'GET',
  path: `${path}/:backtest_id/players`,
  tag,
  summary: 'The rows behind the counts: player, outcome and time',
  may: 'player.read',
  params: Params,
  query: Type.Object(
    {
      ...pageQuery,
      outcome: Type.Optional(Type.String({ description: 'Outcome, such as entered, sent or withheld' })),
      reason: Type.Optional(Type.String()),
      day: Type.Optional(Type.String({ format: 'date', description: "Day in the brand's time zone" })),
    },
    strict,
  ),
  status: 200,
  answer: PageOf(
    Type.Object({
      user_id: Nullable(Type.String({ description: 'Null: the player was erased' })),
      at: Moment,
      step: Nullable(Type.String()),
      what: Type.String(),
      outcome: Type.String(),
      reason: Nullable(Type.String()),
      variant: Nullable(Type.String()),
      channel: Nullable(Type.String()),
      bonus_code: Nullable(Type.String()),
      amount: Nullable(Money),
      currency: Nullable(Type.String()),
    }),
  ),
});

const Range = Type.Object({ expected: Type.Number(), low: Type.Integer(), high: Type.Integer() });

const MoneyRange = Type.Object(
  { expected: Money, low: Money, high: Money },
  { description: 'In base currency, without the effects of `unknown_cost`' },
);

export const forecastEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/campaigns/:code/forecast',
  tag,
  summary: 'Forecast entries, messages, credits and their cost for the next days',
  description:
    'Uses at most the last 30 days: the runs of a campaign that has been live for 14 days or more, or the newest finished backtest of this version over at least 7 days. Each range contains about 95 percent of days. A campaign with a schedule needs starts on the same weekdays in these past days and in the forecast. For a single date or a monthly schedule, the answer is 409, and `detail` has the dates of the next starts and the number of players that they check.',
  may: 'brand.read',
  conflict:
    'There is not enough data, so run a backtest first; or past days do not predict the schedule of the campaign (`errors` has the path `/entry/schedule`)',
  params: CampaignParams,
  body: Type.Object({ days: Type.Integer({ minimum: 1, maximum: 31, default: 7 }) }, strict),
  status: 200,
  answer: Type.Object({
    source: Type.Enum(['runs', 'backtest']),
    backtest_id: Nullable(Type.Integer()),
    from: Type.String({ description: 'The first day of the data that it uses' }),
    until: Type.String({ description: 'The last day of this data' }),
    method: Type.String({ description: 'A sentence that describes the method' }),
    days: Type.Array(
      Type.Object({
        day: Type.String(),
        weekday: Type.Integer({ description: '1 (Monday) to 7 (Sunday)' }),
        entered: Range,
        sent: Range,
        credited: Range,
        cost: MoneyRange,
      }),
    ),
    total: Type.Object({ entered: Range, sent: Range, credited: Range, cost: MoneyRange }),
    unknown_cost: Type.Integer({
      description: 'Credits and offers of the past days without a known cost. Above 0, the actual cost is higher',
    }),
  }),
});
