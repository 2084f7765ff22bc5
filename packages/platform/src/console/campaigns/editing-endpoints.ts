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
  summary: 'What is wrong with the document of a campaign, and what its rules say',
  description: 'The check that publishing makes, of a document that need not be stored. Nothing is written.',
  may: 'brand.read',
  params: BrandParams,
  body: Type.Object({ campaign: Type.Unknown({ description: 'The document' }) }, strict),
  status: 200,
  answer: Type.Object({
    errors: Type.Array(Type.Object({ path: Path, message: Type.String() }), {
      description: 'Empty for a document that can be published',
    }),
    rules: Type.Array(
      Type.Object({
        path: Path,
        sentence: Type.String({ examples: ['the number of deposits is 1'] }),
      }),
      { description: 'What each rule without mistakes asks for: audience, conditions on events, branches, waits' },
    ),
  }),
});

export const listCampaignEventsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/campaign-events',
  tag,
  summary: 'The events that campaigns can begin with, wait for and have as their goal',
  may: 'brand.read',
  params: BrandParams,
  status: 200,
  answer: Type.Object({
    items: Type.Array(
      Type.Object({
        event: Type.String({ description: 'As documents name it' }),
        fact: Nullable(
          Type.String({
            description: 'The field of `GET rule-fields` whose `fields` conditions can ask for. Null: it takes none',
            examples: ['did.payment'],
          }),
        ),
        body: Type.Record(Type.String(), Type.Unknown(), {
          description: 'What a scenario has for an event whose body leaves everything out',
        }),
      }),
    ),
    next: Type.Null(),
  }),
});
