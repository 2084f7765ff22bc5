import { type Campaign, runStates } from '@croupier/campaigns';
import { Type } from 'typebox';
import { campaignStates, startStates, versionStates } from '../../campaigns/index.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Nullable, PlayerParams } from '../routing/fields.ts';
import { CampaignParams } from './params.ts';

const strict = { additionalProperties: false };
const tag = 'Campaigns';
const path = '/brands/:brand/campaigns';
const DocumentIn = Type.Unknown({ description: 'The document of the campaign; what is wrong with it is said by path' });
const Document = Type.Unsafe<Campaign>({ description: 'The document of the campaign' });

const Version = Type.Object({
  version: Type.Integer(),
  state: Type.Enum([...versionStates]),
  document: Document,
  created_at: Moment,
  created_by: Type.String(),
  published_at: Nullable(Moment),
  published_by: Nullable(Type.String()),
  approval: Nullable(
    Type.Object(
      { asked_at: Moment, asked_by: Type.String(), reasons: Type.Array(Type.String()) },
      { description: 'Of a draft that waits for a second person to approve it' },
    ),
  ),
  approved_by: Nullable(Type.String()),
  moves_runs: Type.Boolean({ description: 'Whether runs in flight move to it' }),
});

const CampaignShown = Type.Object({
  code: Type.String(),
  name: Type.String(),
  state: Type.Enum([...campaignStates]),
  reason: Nullable(Type.String({ description: 'Why it failed or halted' })),
  halted_at: Nullable(Moment),
  share: Type.Integer({ description: 'Percent of the players who may enter' }),
  version: Nullable(Type.Integer({ description: 'The published version; null: none was ever published' })),
  document: Document,
  draft: Nullable(Version),
  entered: Type.Integer(),
  running: Type.Integer({ description: 'Runs in flight' }),
  created_at: Moment,
  created_by: Type.String(),
});

const Cause = Type.Object({
  type: Type.Enum(['event', 'segment', 'schedule', 'api']),
  at: Moment,
  id: Type.Optional(Type.String({ description: 'Of an event: its place in the ledger; of a transition: its id' })),
  kind: Type.Optional(Type.String({ description: 'Of an event' })),
  code: Type.Optional(Type.String({ description: 'Of a segment' })),
  transition: Type.Optional(Type.Enum(['entered', 'left'])),
  local: Type.Optional(Type.String({ description: 'Of a schedule: what the clock showed' })),
  key: Type.Optional(Type.String({ description: 'Of a call' })),
});

const Story = Type.Object({
  id: Type.String({ description: 'The step' }),
  state: Type.String(),
  at: Moment,
  reason: Nullable(Type.String()),
  variant: Nullable(Type.String()),
  effect: Nullable(
    Type.Object({
      kind: Type.String(),
      channel: Type.Optional(Type.String()),
      message_id: Type.Optional(Type.Integer()),
      intent_id: Type.Optional(Type.String()),
      decision_id: Type.Optional(Nullable(Type.Integer())),
    }),
  ),
});

const RunShown = Type.Object({
  run_id: Type.Integer(),
  campaign: Type.String(),
  version: Type.Integer(),
  user_id: Nullable(Type.String()),
  state: Type.Enum([...runStates]),
  reason: Nullable(Type.String()),
  step: Nullable(Type.String({ description: 'Where it stands' })),
  waits_for: Nullable(Type.String()),
  due_at: Nullable(Moment),
  variant: Nullable(Type.String({ description: 'Of its latest split' })),
  cause: Cause,
  entered_at: Moment,
  moved_at: Moment,
  steps: Type.Array(Story, { description: 'Its story, in order' }),
});

const reads = { method: 'GET', tag, may: 'player.read', status: 200 } as const;
const changes = {
  method: 'POST',
  tag,
  may: 'campaign.manage',
  status: 200,
  params: CampaignParams,
  answer: CampaignShown,
} as const;

export const listCampaignsEndpoint = endpoint({
  ...reads,
  may: 'brand.read',
  path,
  summary: 'The campaigns of a brand, with their state and how many players are in each',
  params: BrandParams,
  answer: Type.Object({ items: Type.Array(CampaignShown), next: Type.Null() }),
});

export const createCampaignEndpoint = endpoint({
  method: 'POST',
  path,
  tag,
  summary: 'Make a campaign from its document',
  description: 'It begins as a draft: publish it to let players enter.',
  may: 'campaign.manage',
  conflict: 'The brand has a campaign of that code',
  params: BrandParams,
  body: DocumentIn,
  status: 201,
  answer: CampaignShown,
});

export const readCampaignEndpoint = endpoint({
  ...reads,
  may: 'brand.read',
  path: `${path}/:code`,
  summary: 'One campaign: its document, state and draft',
  params: CampaignParams,
  answer: CampaignShown,
});

export const changeCampaignEndpoint = endpoint({
  ...changes,
  method: 'PUT',
  path: `${path}/:code`,
  summary: 'Write the draft of a campaign',
  description: 'The published version stays until the draft is published.',
  body: DocumentIn,
});

export const deleteCampaignEndpoint = endpoint({
  method: 'DELETE',
  path: `${path}/:code`,
  tag,
  summary: 'Delete a campaign with its runs',
  may: 'campaign.manage',
  conflict: 'It is live or paused: stop it first',
  params: CampaignParams,
  status: 204,
  answer: Type.Null(),
});

export const publishCampaignEndpoint = endpoint({
  ...changes,
  path: `${path}/:code/publish`,
  summary: 'Let players enter by the draft; runs in flight finish on their version, or move to it',
  description:
    'With `move_runs` runs in flight move from each version all of whose steps, by id and kind, the draft still has; the others finish on theirs. A run that moves stays at its step: a wait that says something else now begins anew. `GET campaigns/:code/versions` shows how many runs each version has. Above the limits of the brand setting `campaign_approval` the draft waits instead, with the reasons in `draft.approval`, until a second person approves it.',
  conflict: 'There is no draft, or it waits for a second person',
  body: Type.Object({ move_runs: Type.Optional(Type.Boolean({ description: 'Default: false' })) }, strict),
});

export const approveCampaignEndpoint = endpoint({
  ...changes,
  path: `${path}/:code/approve`,
  summary: 'Publish a draft that waits for a second person',
  description:
    'Not by the person who wrote the draft last, nor by the person who published it. A change of the draft takes the waiting back.',
  conflict: 'The draft does not wait for approval, or the caller wrote or published it',
});

export const pauseCampaignEndpoint = endpoint({
  ...changes,
  path: `${path}/:code/pause`,
  summary: 'Nobody enters, waits go on, effects wait',
  conflict: 'It is not live',
});

export const resumeCampaignEndpoint = endpoint({
  ...changes,
  path: `${path}/:code/resume`,
  summary: 'Go on after a pause; what was held is asked for now',
  conflict: 'It is not paused',
});

export const stopCampaignEndpoint = endpoint({
  ...changes,
  path: `${path}/:code/stop`,
  summary: 'End a campaign: nobody enters, and all of its runs exit',
  conflict: 'It does not run',
});

export const rampCampaignEndpoint = endpoint({
  ...changes,
  path: `${path}/:code/ramp`,
  summary: 'Set the percent of players who may enter; whoever is in stays in',
  body: Type.Object({ share: Type.Integer({ minimum: 0, maximum: 100 }) }, strict),
});

export const enterCampaignEndpoint = endpoint({
  method: 'POST',
  path: `${path}/:code/enter`,
  tag,
  summary: 'Have a player enter, once for each key',
  description: 'The audience, the share and the rule of re-entry decide; the run tells what came of it.',
  may: 'campaign.manage',
  conflict: 'The campaign is not live, or its players enter in another way; the answer says which',
  params: CampaignParams,
  body: Type.Object(
    {
      user_id: Type.String({ minLength: 1 }),
      key: Type.String({ minLength: 1, maxLength: 200 }),
      data: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Templates name it as `event`' })),
    },
    strict,
  ),
  status: 202,
  answer: Type.Object({ accepted: Type.Boolean() }),
});

export const campaignGapsEndpoint = endpoint({
  ...reads,
  path: `${path}/:code/gaps`,
  summary: 'How many players of the audience lack what the messages of a campaign put in',
  description:
    "Look before publishing: it is about the draft, where there is one. Of fields of the operator's details that templates put in without a default; the audience is counted as it is now.",
  params: CampaignParams,
  answer: Type.Object({
    templates: Type.Array(
      Type.Object({
        template: Type.String(),
        steps: Type.Array(Type.String()),
        players: Type.Integer({ description: 'Of the audience' }),
        gaps: Type.Array(
          Type.Object({ variable: Type.String(), players: Type.Integer({ description: 'Who lack it' }) }),
        ),
      }),
    ),
  }),
});

export const listCampaignVersionsEndpoint = endpoint({
  ...reads,
  may: 'brand.read',
  path: `${path}/:code/versions`,
  summary: 'Every version of a campaign, the newest first',
  params: CampaignParams,
  answer: Type.Object({
    items: Type.Array(
      Type.Object({ ...Version.properties, running: Type.Integer({ description: 'Its runs in flight' }) }),
    ),
    next: Type.Null(),
  }),
});

export const listCampaignRunsEndpoint = endpoint({
  ...reads,
  path: `${path}/:code/runs`,
  summary: 'Runs of a campaign, the newest first',
  params: CampaignParams,
  query: Type.Object({ state: Type.Optional(Type.Enum([...runStates])), ...pageQuery }, strict),
  answer: PageOf(RunShown),
});

export const listCampaignStartsEndpoint = endpoint({
  ...reads,
  path: `${path}/:code/starts`,
  summary: 'Moments of its schedule whose time has come, and how far each is; the latest first',
  description:
    'A schedule by the clock of the players has one start for each time at which some zone shows the moment.',
  params: CampaignParams,
  query: Type.Object(pageQuery, strict),
  answer: PageOf(
    Type.Object({
      local: Type.String({ description: 'What the clock shows' }),
      at: Moment,
      state: Type.Enum([...startStates]),
      reason: Nullable(
        Type.String({
          description:
            'missed: no worker ran for more than three hours; paused, stopped: the campaign was; of a running one what it waits for',
        }),
      ),
      total: Nullable(Type.Integer({ description: 'Players to look at; null: it has not begun' })),
      looked: Type.Integer({ description: 'Players looked at so far' }),
      entered: Type.Integer(),
      started_at: Nullable(Moment),
      finished_at: Nullable(Moment),
    }),
  ),
});

export const listCampaignWithheldEndpoint = endpoint({
  ...reads,
  path: `${path}/:code/withheld`,
  summary: 'Effects that were withheld, with the reason; the newest first',
  params: CampaignParams,
  query: Type.Object(pageQuery, strict),
  answer: PageOf(
    Type.Object({
      run_id: Type.Integer(),
      user_id: Nullable(Type.String()),
      step: Type.String(),
      at: Moment,
      reason: Nullable(Type.String()),
    }),
  ),
});

export const listPlayerRunsEndpoint = endpoint({
  ...reads,
  path: '/brands/:brand/players/:user_id/runs',
  summary: 'The runs of a player, the newest first',
  params: PlayerParams,
  query: Type.Object(pageQuery, strict),
  answer: PageOf(RunShown),
});

export const readRunEndpoint = endpoint({
  ...reads,
  path: '/brands/:brand/runs/:run_id',
  summary: 'One run: its cause, where it stands, and its whole story',
  params: Type.Object({ ...BrandParams.properties, run_id: Type.Integer({ minimum: 1 }) }),
  answer: RunShown,
});
