import { Type } from 'typebox';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Nullable } from '../routing/fields.ts';

const strict = { additionalProperties: false };
const tag = 'Campaigns';
const Path = Type.String({ description: 'JSON path in the document', examples: ['/steps/0/send/template'] });

export const checkCampaignEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/campaigns/check',
  tag,
  summary: 'Check the document of a campaign, and return its rules as sentences',
  description: 'Makes the same check as publishing. The document does not have to be stored. Nothing is written.',
  may: 'brand.read',
  params: BrandParams,
  body: Type.Object(
    {
      campaign: Type.Unknown({ description: 'The document' }),
      propose_limits: Type.Optional(
        Type.Boolean({
          description:
            'Whether to propose limits for `halt` from the forecast. This counts the runs of the campaign, or reads a backtest, so it takes longer. Default: false',
        }),
      ),
    },
    strict,
  ),
  status: 200,
  answer: Type.Object({
    errors: Type.Array(Type.Object({ path: Path, message: Type.String() }), {
      description: 'Empty if the document can be published',
    }),
    rules: Type.Array(
      Type.Object({
        path: Path,
        sentence: Type.String({ examples: ['the number of deposits is 1'] }),
      }),
      { description: 'Each valid rule as a sentence: audience, conditions on events, branches, waits' },
    ),
    proposed_limits: Nullable(
      Type.Object(
        {
          entered_per_day: Type.Integer({
            description:
              'A limit for `halt.entered_per_day`: twice the highest count of the next seven days, rounded up to two digits, and at least 50',
          }),
          forecast_high: Type.Integer({ description: 'The highest count of a day in the forecast' }),
          source: Type.Union([Type.Literal('runs'), Type.Literal('backtest')]),
          from: Type.String({ description: 'First day of the data, as a date of the brand', examples: ['2026-05-02'] }),
          until: Type.String({ description: 'Last day of the data' }),
        },
        {
          description:
            'Limits that follow from the forecast. Null: `propose_limits` is not true, the document has errors, or there is no forecast for it. Runs of a campaign with a share below 100 percent are not used',
        },
      ),
    ),
  }),
});

export const listCampaignEventsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/campaign-events',
  tag,
  summary: 'The events that campaigns can start with, wait for and have as goal',
  may: 'brand.read',
  params: BrandParams,
  status: 200,
  answer: Type.Object({
    items: Type.Array(
      Type.Object({
        event: Type.String({ description: 'Name in documents' }),
        fact: Nullable(
          Type.String({
            description: 'The field of `GET rule-fields` whose `fields` conditions can use. Null: no conditions',
            examples: ['did.payment'],
          }),
        ),
        body: Type.Record(Type.String(), Type.Unknown(), {
          description: 'Default values of a scenario for an event with an empty body',
        }),
      }),
    ),
    next: Type.Null(),
  }),
});
