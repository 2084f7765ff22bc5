import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { listedAmounts, measures, outcomes } from '../../campaigns/index.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { Moment, Nullable } from '../routing/fields.ts';
import { CampaignParams } from './params.ts';

const strict = { additionalProperties: false };
const path = '/brands/:brand/campaigns/:code/results';
const reads = { method: 'GET', tag: 'Campaigns', status: 200, params: CampaignParams } as const;

const meanings: Record<(typeof outcomes)[number], string> = {
  entered: 'Runs that started',
  waiting: 'Runs that are waiting',
  held: 'Runs whose next effect is held',
  control: "Runs of a control arm or of the brand's control group. Nothing was sent",
  withheld:
    'Effects that the gate, the rules of contact or a budget withheld, and messages and bonuses given up before they went out',
  sent: 'Messages that went out',
  delivered: 'Messages reported as delivered by the channel',
  shown: 'Messages that were shown',
  opened: 'Messages that were read or opened',
  clicked: 'Messages that were clicked',
  replied: 'Messages that the player replied to',
  bounced: 'Messages reported as bounced by the provider or a mail server',
  complained: 'Messages that the player reported as spam',
  unsubscribed: 'Messages through which the player unsubscribed',
  credited: 'Bonuses and funds that the operator credited',
  goal_reached: 'Runs that reached the goal, also after their last step and in control arms',
  done: 'Runs that finished and have not reached a goal',
  exited: 'Runs that exited early',
  failed: 'Runs that failed, and messages, bonuses and funds that failed. In `effects`, only the latter',
  unknown: 'Messages, bonuses and funds that may or may not have reached the provider or operator',
};
const counts = Object.fromEntries(outcomes.map((one) => [one, Type.Integer({ description: meanings[one] })])) as Record<
  (typeof outcomes)[number],
  ReturnType<typeof Type.Integer>
>;

const Reasons = Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() }), {
  description: 'Effects, most frequent reason first',
});
const Money = Type.String({ description: "Decimal, in the brand's base currency" });
const Measured = Type.Object({
  sum: Money,
  mean: Nullable(Type.Number({ description: 'Mean per player' })),
  against_control: Nullable(
    Type.Object(
      { difference: Type.Number(), low: Type.Number(), high: Type.Number() },
      {
        description:
          'Difference per player compared with the control arm, with the 95 percent confidence interval. Null for the control arm, and if either arm has fewer than 30 players',
      },
    ),
  ),
});
const Arm = Type.Object({
  name: Type.String(),
  control: Type.Boolean(),
  share: Nullable(Type.Number({ description: 'Share of the arm in percent' })),
  players: Type.Integer({ description: 'Players of the arm, each counted once' }),
  counts: Type.Object(counts),
  measured: Type.Object(
    {
      players: Type.Integer(),
      depositors: Type.Integer(),
      sums: Type.Object(
        Object.fromEntries(measures.map((one) => [one, Measured])) as Record<
          (typeof measures)[number],
          typeof Measured
        >,
      ),
    },
    {
      description:
        'Over the players whose window has passed, at most the latest 20,000. All arms of a split cover the same period',
    },
  ),
});

export const readCampaignResultsEndpoint = endpoint({
  ...reads,
  may: 'brand.read',
  path,
  summary: 'Results of a campaign: counts, costs, and a comparison of the arms of its splits',
  description:
    "`results/players` lists the players behind every count. Money is compared over `window_days` days in the brand's time zone, including the day of entry.",
  query: Type.Object({ window_days: Type.Integer({ minimum: 1, maximum: 90, default: 7 }) }, strict),
  answer: Type.Object({
    ...counts,
    versions: Type.Array(Type.Object({ version: Type.Integer(), ...counts })),
    effects: Type.Array(Type.Object({ version: Type.Integer(), step: Type.String(), ...counts })),
    steps: Type.Array(
      Type.Object({
        version: Type.Integer(),
        step: Type.String(),
        state: Type.String(),
        kind: Nullable(Type.String({ description: 'Kind of the effect. Null: no effect' })),
        reason: Nullable(Type.String()),
        variant: Nullable(Type.String()),
        count: Type.Integer(),
      }),
      { description: 'Counts per step' },
    ),
    withheld_by: Reasons,
    failed_by: Reasons,
    unknown_by: Reasons,
    costs: Type.Array(
      Type.Object({
        version: Type.Integer(),
        step: Type.String(),
        granted: Money,
        turned_real: Money,
        funds: Money,
      }),
      { description: 'Cost of its bonuses, by the references that the operator returns, or by code' },
    ),
    window_days: Type.Integer(),
    splits: Type.Array(
      Type.Object({
        version: Type.Integer(),
        step: Nullable(Type.String({ description: "Null: the brand's control group compared with all other players" })),
        sample_ratio_mismatch: Type.Boolean({
          description: 'The sizes of the arms do not match their shares. Do not rely on the comparison',
        }),
        arms: Type.Array(Arm),
      }),
    ),
  }),
});

const Day = Type.String({ format: 'date' });

export const readCampaignDaysEndpoint = endpoint({
  ...reads,
  may: 'brand.read',
  path: `${path}/days`,
  summary: "The counts of a campaign by day, in the brand's time zone",
  query: Type.Object(
    {
      from: Type.Optional(Type.String({ format: 'date', description: 'Default: 29 days before `to`' })),
      to: Type.Optional(Type.String({ format: 'date', description: 'Default: today' })),
    },
    strict,
  ),
  answer: Type.Object({
    from: Day,
    to: Day,
    days: Type.Array(Type.Object({ day: Day, ...counts }), {
      description: 'Days without activity are omitted',
    }),
  }),
});

const listQuery = {
  outcome: Type.Enum([...outcomes]),
  version: Type.Optional(Type.Integer({ minimum: 1 })),
  step: Type.Optional(Type.String({ minLength: 1 })),
  reason: Type.Optional(Type.String({ minLength: 1 })),
  split: Type.Optional(Type.String({ minLength: 1, description: 'The split step. Requires `variant`' })),
  variant: Type.Optional(Type.String({ minLength: 1 })),
};

export const listCampaignOutcomesEndpoint = endpoint({
  ...reads,
  may: 'player.read',
  path: `${path}/players`,
  summary: 'The players behind a count of the results, newest run first',
  query: Type.Object({ ...listQuery, ...pageQuery }, strict),
  answer: PageOf(
    Type.Object({
      run_id: Type.Integer(),
      user_id: Nullable(Type.String()),
      step: Nullable(Type.String()),
      at: Moment,
      reason: Nullable(Type.String()),
    }),
  ),
});

/** The properties that all exports share. */
const exports = { ...reads, may: 'list.export' } as const;
const Lines = (description: string) => Type.Unsafe<Readable>(Type.String({ description }));
const csv = (columns: string) => ({
  contentType: 'text/csv; charset=utf-8; header=present',
  answer: Lines(`RFC 4180, with a header line: ${columns}`),
});
const jsonLines = (as: string) => ({
  contentType: 'application/jsonl; charset=utf-8',
  answer: Lines(`One object per line, as in \`${as}\``),
});

export const exportCampaignOutcomesEndpoint = endpoint({
  ...exports,
  ...csv('user_id, run_id, step, at, reason'),
  path: `${path}/players.csv`,
  summary: 'All players behind a count as streamed CSV. The call is written to the audit',
  query: Type.Object(listQuery, strict),
});

export const exportCampaignOutcomesAsJsonEndpoint = endpoint({
  ...exports,
  ...jsonLines('results/players'),
  path: `${path}/players.jsonl`,
  summary: 'All players behind a count as streamed JSON lines. The call is written to the audit',
  query: Type.Object(listQuery, strict),
});

const amountQuery = {
  of: Type.Enum([...listedAmounts], {
    description:
      'measured: players of an arm whose window has passed. depositors: those of them who deposited. granted, turned_real, funds: the costs',
  }),
  version: Type.Optional(Type.Integer({ minimum: 1 })),
  step: Type.Optional(Type.String({ minLength: 1 })),
  split: Type.Optional(
    Type.String({ minLength: 1, description: "The split step. Omitted: the arms of the brand's control group" }),
  ),
  variant: Type.Optional(
    Type.String({ minLength: 1, description: 'The arm. Required for `measured` and `depositors`' }),
  ),
  window_days: Type.Integer({ minimum: 1, maximum: 90, default: 7 }),
};

export const listCampaignAmountsEndpoint = endpoint({
  ...reads,
  may: 'player.read',
  path: `${path}/amounts`,
  summary: 'The players behind an amount of the results, newest run first',
  query: Type.Object({ ...amountQuery, ...pageQuery }, strict),
  answer: PageOf(
    Type.Object({
      run_id: Type.Integer(),
      user_id: Nullable(Type.String()),
      step: Nullable(Type.String()),
      at: Moment,
      amount: Money,
      reference: Nullable(
        Type.String({ description: 'The bonus of the operator, or the intent that credited the funds' }),
      ),
    }),
  ),
});

export const exportCampaignAmountsEndpoint = endpoint({
  ...exports,
  ...csv('user_id, run_id, step, at, amount, reference'),
  path: `${path}/amounts.csv`,
  summary: 'All players behind an amount as streamed CSV. The call is written to the audit',
  query: Type.Object(amountQuery, strict),
});

export const exportCampaignAmountsAsJsonEndpoint = endpoint({
  ...exports,
  ...jsonLines('results/amounts'),
  path: `${path}/amounts.jsonl`,
  summary: 'All players behind an amount as streamed JSON lines. The call is written to the audit',
  query: Type.Object(amountQuery, strict),
});
