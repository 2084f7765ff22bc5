import { Type } from 'typebox';
import { stepStates } from '../../campaigns/index.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { Moment, Nullable } from '../routing/fields.ts';
import { CampaignParams } from './params.ts';

const strict = { additionalProperties: false };
const path = '/brands/:brand/campaigns/:code/steps';
const reads = { method: 'GET', tag: 'Campaigns', status: 200, params: CampaignParams } as const;
const Runs = (description: string) => Type.Integer({ description });
const Reasons = Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() }));

export const listCampaignStepsEndpoint = endpoint({
  ...reads,
  may: 'brand.read',
  path,
  summary: 'The current runs of a campaign by step',
  description: 'Steps that no run has reached are omitted. `steps/players` lists the players behind every count.',
  answer: Type.Object({
    items: Type.Array(
      Type.Object({
        version: Type.Integer(),
        step: Type.String(),
        waiting: Runs('Runs that are waiting at it'),
        held: Runs('Runs whose effect is held at it'),
        done: Runs('Runs that completed it, except those whose effect was withheld'),
        withheld: Runs(
          'Runs whose effect was withheld at it, also after it was ordered: by a budget or by the stop of the campaign. These runs continued',
        ),
        held_by: Reasons,
        withheld_by: Reasons,
        arms: Type.Array(Type.Object({ variant: Type.String(), count: Type.Integer() }), {
          description: 'For a split: the runs of each arm',
        }),
      }),
    ),
    next: Type.Null(),
  }),
});

export const listStepPlayersEndpoint = endpoint({
  ...reads,
  may: 'player.read',
  path: `${path}/players`,
  summary: 'The players behind a count of a step, newest run first',
  query: Type.Object(
    {
      step: Type.String({ minLength: 1 }),
      state: Type.Enum([...stepStates]),
      version: Type.Optional(Type.Integer({ minimum: 1 })),
      reason: Type.Optional(Type.String({ minLength: 1 })),
      variant: Type.Optional(Type.String({ minLength: 1 })),
      ...pageQuery,
    },
    strict,
  ),
  status: 200,
  answer: PageOf(
    Type.Object({
      run_id: Type.Integer(),
      version: Type.Integer(),
      user_id: Nullable(Type.String()),
      at: Moment,
      reason: Nullable(Type.String()),
      variant: Nullable(Type.String()),
    }),
  ),
});
