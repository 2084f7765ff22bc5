import { type Campaign, gapReasons, runStates } from '@croupier/campaigns';
import { Type } from 'typebox';
import { campaignStates, mostStepRecords, startStates, versionStates } from '../../campaigns/index.ts';
import { namedQuery, PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Nullable, PlayerParams } from '../routing/fields.ts';
import { Revision, requiredRevisionQuery, revisionQuery } from '../routing/revision.ts';
import { CampaignParams } from './params.ts';

const strict = { additionalProperties: false };
const tag = 'Campaigns';
const path = '/brands/:brand/campaigns';
const DocumentIn = Type.Unknown({ description: 'The document of the campaign. Errors are reported by path' });
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
      { description: 'For a draft that waits for approval by a second person' },
    ),
  ),
  rejection: Nullable(
    Type.Object(
      { rejected_at: Moment, rejected_by: Type.String(), reason: Type.String() },
      { description: 'For a draft that a second person rejected, until its publication is requested again' },
    ),
  ),
  approved_by: Nullable(Type.String()),
  moves_runs: Type.Boolean({ description: 'Whether active runs move to it' }),
});

const CampaignShown = Type.Object({
  code: Type.String(),
  name: Type.String(),
  state: Type.Enum([...campaignStates]),
  reason: Nullable(Type.String({ description: 'Why it failed or halted' })),
  halted_at: Nullable(Moment),
  unchecked: Nullable(
    Type.Object(
      { since: Moment, reason: Type.String() },
      {
        description:
          'Present if the limits of a live campaign cannot be checked: since when, and why. The campaign then does not halt',
      },
    ),
  ),
  share: Type.Integer({ description: 'Percentage of players who may enter' }),
  version: Nullable(Type.Integer({ description: 'The published version. Null: never published' })),
  document: Document,
  draft: Nullable(Version),
  revision: Revision,
  entered: Type.Integer(),
  running: Type.Integer({ description: 'Active runs' }),
  created_at: Moment,
  created_by: Type.String(),
});

const Cause = Type.Object({
  type: Type.Enum(['event', 'segment', 'schedule', 'api']),
  at: Moment,
  id: Type.Optional(Type.String({ description: 'For an event: its position in the ledger. For a transition: its id' })),
  kind: Type.Optional(Type.String({ description: 'For an event: its kind' })),
  code: Type.Optional(Type.String({ description: 'For a segment: its code' })),
  transition: Type.Optional(Type.Enum(['entered', 'left'])),
  local: Type.Optional(Type.String({ description: 'For a schedule: the local time' })),
  key: Type.Optional(Type.String({ description: 'For an API call: its `key`' })),
});

const RunStep = Type.Object({
  id: Type.String({ description: 'Id of the step' }),
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
  step: Nullable(Type.String({ description: 'Current step' })),
  waits_for: Nullable(Type.String()),
  due_at: Nullable(Moment),
  goal_until: Nullable({
    ...Moment,
    description: 'For a run that is over and can still reach its goal: until when the goal counts',
  }),
  variant: Nullable(Type.String({ description: 'Arm of its latest split' })),
  cause: Cause,
  entered_at: Moment,
  moved_at: Moment,
  steps: Type.Array(RunStep, { description: 'Its steps, in order' }),
  steps_cut: Type.Boolean({
    description: `Whether steps may be missing, because the runs of this answer have more than ${mostStepRecords} steps together. Read the run by its id, or fewer runs per page`,
  }),
});

const Absent = Type.Array(
  Type.Object({
    path: Type.String({ description: 'JSON path in the document', examples: ['/steps/0/send/template'] }),
    step: Type.String(),
    template: Type.String(),
    variable: Type.String({ examples: ['offer.bonus_code'] }),
    message: Type.String({ examples: ['offer.bonus_code is empty: no step before hello is a credit or an offer'] }),
  }),
  { description: 'Variables of the event and the offer that have no value in any run at the step of the message' },
);

const Warnings = Type.Array(
  Type.Object({
    path: Type.String({ description: 'JSON path in the document', examples: ['/entry/schedule/at'] }),
    message: Type.String({ examples: ['2026-01-01T09:00 is in the past, so no player enters'] }),
  }),
  { description: 'Probable mistakes' },
);

const reads = { method: 'GET', tag, may: 'player.read', status: 200 } as const;
const changes = {
  method: 'POST',
  tag,
  may: 'campaign.manage',
  status: 200,
  params: CampaignParams,
  answer: CampaignShown,
} as const;
/** The answer also lists what is missing, because a campaign can be published although something is missing. */
const publishes = {
  ...changes,
  answer: Type.Object({ ...CampaignShown.properties, absent: Absent, warnings: Warnings }),
} as const;

export const listCampaignsEndpoint = endpoint({
  ...reads,
  may: 'brand.read',
  path,
  summary: 'The campaigns of a brand, with their state and number of players, by name',
  params: BrandParams,
  query: Type.Object(
    {
      ...namedQuery,
      state: Type.Optional(Type.Enum([...campaignStates])),
      awaits_approval: Type.Optional(
        Type.Boolean({ description: 'Whether a draft of the campaign waits for approval' }),
      ),
    },
    strict,
  ),
  answer: PageOf(CampaignShown),
});

export const createCampaignEndpoint = endpoint({
  method: 'POST',
  path,
  tag,
  summary: 'Create a campaign from its document',
  description: 'It starts as a draft. Publish it to let players enter.',
  may: 'campaign.manage',
  conflict: 'The campaign already exists',
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
  summary: 'Change the draft of a campaign',
  description: 'The published version stays until the draft is published.',
  conflict: '`revision` is no longer current: another person changed the campaign',
  query: Type.Object(revisionQuery, strict),
  body: DocumentIn,
});

export const deleteCampaignEndpoint = endpoint({
  method: 'DELETE',
  path: `${path}/:code`,
  tag,
  summary: 'Delete a campaign with its runs',
  description: 'What its runs ordered and what is not sent or credited yet is withdrawn, as after a stop.',
  may: 'campaign.manage',
  conflict: 'The campaign is live, paused or failed. Stop it first',
  params: CampaignParams,
  status: 204,
  answer: Type.Null(),
});

export const publishCampaignEndpoint = endpoint({
  ...publishes,
  path: `${path}/:code/publish`,
  summary: 'Publish the draft. Active runs finish on their version, or move to the new one',
  description:
    'With `move_runs`, active runs move from each version whose steps all exist in the draft, by id and kind. Other runs finish on their version. If the draft has these steps in another order, and the version has active runs, the publication is refused with 409, because runs could pass a step twice. A moved run stays at its step; if the wait of that step has changed, it starts again. `GET campaigns/:code/versions` shows the number of runs per version. Above the limits of the brand setting `campaign_approval`, the draft waits until a second person approves it. `draft.approval` has the reasons. Missing variables do not prevent the publication; `absent` lists them, as `GET campaigns/:code/gaps` does before. `warnings` lists what is probably a mistake, such as a schedule whose only time is in the past.',
  conflict: 'There is no draft, it is waiting for approval, or `revision` is no longer current',
  query: Type.Object(revisionQuery, strict),
  body: Type.Object({ move_runs: Type.Optional(Type.Boolean({ description: 'Default: false' })) }, strict),
});

export const approveCampaignEndpoint = endpoint({
  ...publishes,
  path: `${path}/:code/approve`,
  summary: 'Approve and publish a draft that waits for a second person',
  description:
    'The person who last wrote or published the draft cannot approve it, and neither can the admin token. A change of the draft ends the waiting.',
  conflict:
    'The draft does not wait for approval, the caller wrote or published it, or `revision` is no longer current',
  query: Type.Object(requiredRevisionQuery, strict),
});

export const rejectCampaignEndpoint = endpoint({
  ...changes,
  path: `${path}/:code/reject`,
  summary: 'Reject a draft that waits for a second person. The draft stays and no longer waits',
  description:
    'The person who last wrote or published the draft cannot reject it, and neither can the admin token. `draft.rejection` has the reason until the publication is requested again.',
  conflict:
    'The draft does not wait for approval, the caller wrote or published it, or `revision` is no longer current',
  query: Type.Object(revisionQuery, strict),
  body: Type.Object(
    {
      reason: Type.String({
        minLength: 1,
        maxLength: 1_000,
        pattern: '\\S',
        description: 'For the author. Do not write personal data into it: the staff audit keeps it',
      }),
    },
    strict,
  ),
});

export const pauseCampaignEndpoint = endpoint({
  ...changes,
  path: `${path}/:code/pause`,
  summary: 'Pause a campaign. No player enters, waits continue, and effects wait',
  description:
    'Messages and credits that were ordered, and whose call has not begun, wait with the reason `campaign_paused` until the campaign is resumed or they expire. Offers that the player has not claimed are hidden and cannot be claimed until the resume.',
  conflict: 'The campaign is not live',
});

export const resumeCampaignEndpoint = endpoint({
  ...changes,
  path: `${path}/:code/resume`,
  summary: 'Resume a campaign after a pause. Held effects are checked again',
  conflict: 'The campaign is not paused',
});

export const stopCampaignEndpoint = endpoint({
  ...changes,
  path: `${path}/:code/stop`,
  summary: 'Stop a campaign. No player enters, and all its runs exit',
  description:
    'Messages and credits that were ordered, and whose call has not begun, and offers that the player has not claimed, end with the reason `campaign_stopped`. They stay unsent if the campaign is published again. A call that got no clear answer before the stop is `unknown` and is not repeated.',
  conflict: 'The campaign is not running',
});

export const rampCampaignEndpoint = endpoint({
  ...changes,
  path: `${path}/:code/ramp`,
  summary: 'Set the percentage of players who may enter. Players who entered stay',
  body: Type.Object({ share: Type.Integer({ minimum: 0, maximum: 100 }) }, strict),
});

export const enterCampaignEndpoint = endpoint({
  method: 'POST',
  path: `${path}/:code/enter`,
  tag,
  summary: 'Enter a player into a campaign, once for each `key`',
  description:
    'Refused if the player would not enter now: because of a protection, the share, the audience or the re-entry rule. The answer names the reason. A repeated `key` has no further effect.',
  may: 'campaign.manage',
  conflict:
    'The campaign is not live, players enter it in another way, or the player may not enter. The answer names the reason',
  params: CampaignParams,
  body: Type.Object(
    {
      user_id: Type.String({ minLength: 1 }),
      key: Type.String({ minLength: 1, maxLength: 200 }),
      data: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), { description: 'Available in templates as `event`' }),
      ),
    },
    strict,
  ),
  status: 202,
  answer: Type.Object({ accepted: Type.Boolean() }),
});

export const campaignGapsEndpoint = endpoint({
  ...reads,
  path: `${path}/:code/gaps`,
  summary: 'What to complete before publishing: missing values in messages, and bonuses that a market withholds',
  description:
    "Check this before you publish. It uses the draft if there is one. It covers fields of the operator's details, and traits, that templates use without a default, for the current audience. `absent` lists the variables of the event and the offer that no run has at the step of the message. `policies` lists the bonuses that the policy of a market (GB) would withhold. `warnings` lists what is probably a mistake, such as a schedule whose only time is in the past.",
  params: CampaignParams,
  answer: Type.Object({
    absent: Absent,
    warnings: Warnings,
    templates: Type.Array(
      Type.Object({
        template: Type.String(),
        steps: Type.Array(Type.String()),
        players: Type.Integer({ description: 'Number of players in the audience' }),
        gaps: Type.Array(
          Type.Object({
            variable: Type.String(),
            players: Type.Integer({ description: 'Number of players for whom it is missing' }),
          }),
        ),
      }),
    ),
    policies: Type.Array(
      Type.Object({
        path: Type.String({ description: 'JSON path in the document', examples: ['/steps/1/offer/wagering'] }),
        market: Type.String({ examples: ['GB'] }),
        reason: Type.Enum([...gapReasons], {
          description:
            'Why the policy is not satisfied. The bonus would be withheld, or (policy_product_unknown) a consent not checked',
        }),
        message: Type.String({ description: 'What to state in the document' }),
        players: Type.Integer({ description: 'Players of this market in the audience' }),
      }),
      { description: 'Only markets that have players in the audience' },
    ),
  }),
});

export const listCampaignVersionsEndpoint = endpoint({
  ...reads,
  may: 'brand.read',
  path: `${path}/:code/versions`,
  summary: 'Every version of a campaign, newest first',
  params: CampaignParams,
  answer: Type.Object({
    items: Type.Array(
      Type.Object({ ...Version.properties, running: Type.Integer({ description: 'Active runs of this version' }) }),
    ),
    next: Type.Null(),
  }),
});

export const listCampaignRunsEndpoint = endpoint({
  ...reads,
  path: `${path}/:code/runs`,
  summary: 'Runs of a campaign, newest first',
  params: CampaignParams,
  query: Type.Object(
    {
      state: Type.Optional(
        Type.Enum([...runStates, 'running'], { description: 'running: every run that has not ended' }),
      ),
      ...pageQuery,
    },
    strict,
  ),
  answer: PageOf(RunShown),
});

export const listCampaignStartsEndpoint = endpoint({
  ...reads,
  path: `${path}/:code/starts`,
  summary: 'Scheduled starts whose time has come, with their progress, latest first',
  description: "A schedule in the players' time zones has one start for each time zone offset.",
  params: CampaignParams,
  query: Type.Object(pageQuery, strict),
  answer: PageOf(
    Type.Object({
      local: Type.String({ description: 'Local time' }),
      at: Moment,
      state: Type.Enum([...startStates]),
      reason: Nullable(
        Type.String({
          description:
            'missed: no worker ran for more than three hours. paused, stopped: the state of the campaign. For a running start: what it waits for. feed: it is slowed because events need the capacity',
        }),
      ),
      total: Nullable(Type.Integer({ description: 'Players to check. Null: not started' })),
      looked: Type.Integer({ description: 'Players checked so far' }),
      entered: Type.Integer(),
      started_at: Nullable(Moment),
      finished_at: Nullable(Moment),
    }),
  ),
});

export const listCampaignWithheldEndpoint = endpoint({
  ...reads,
  path: `${path}/:code/withheld`,
  summary: 'Withheld effects with their reasons, newest run first',
  description: 'The same effects as `withheld` in the results. Players of a control group are not included.',
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
  summary: 'The runs of a player, newest first',
  params: PlayerParams,
  query: Type.Object(pageQuery, strict),
  answer: PageOf(RunShown),
});

export const readRunEndpoint = endpoint({
  ...reads,
  path: '/brands/:brand/runs/:run_id',
  summary: 'One run with its cause, current step and complete timeline',
  params: Type.Object({ ...BrandParams.properties, run_id: Type.Integer({ minimum: 1 }) }),
  answer: RunShown,
});
