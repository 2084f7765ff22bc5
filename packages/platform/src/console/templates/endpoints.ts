import { Type } from 'typebox';
import { messagePurposes, templateChannels } from '../../channels/index.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Nullable } from '../routing/fields.ts';

const strict = { additionalProperties: false };
const tag = 'Templates';

const Code = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
  description: 'Name of the template within the brand, for life: small letters, digits, - and _',
});
const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'For people' });
const Channel = Type.Enum([...templateChannels], {
  description: 'block: text that other templates take with {% render %} or {% layout %}',
});
const Purpose = Type.Enum([...messagePurposes], { default: 'marketing' });
/** What a field holds depends on the channel; what is wrong is named by field. */
const Fields = Type.Record(Type.String(), Type.Unknown());
const Content = Type.Record(Type.String(), Fields, {
  description:
    'By language (BCP 47) the fields of the channel. site and push: event, display_type, title, message, preview_text, footer_text, data, cta_button_link, cta_button_text, cta_button2_link, cta_button2_text, image_url. email: subject, preheader, mjml or html, text (left out: made from the other). block: body. Texts are Liquid',
});

const Summary = {
  code: Type.String(),
  name: Type.String(),
  channel: Channel,
  purpose: Type.Enum([...messagePurposes]),
  version: Type.Integer({ description: 'Each change makes the next one' }),
  languages: Type.Array(Type.String()),
  created_at: Moment,
  changed_at: Moment,
  changed_by: Type.String(),
};
const TemplateShown = Type.Object({
  ...Summary,
  content: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())),
  variables: Type.Array(Type.String(), { description: 'What its texts and blocks name' }),
  used_by: Type.Array(Type.String(), { description: 'Of a block: the templates that take it' }),
});

const TemplateParams = Type.Object({ ...BrandParams.properties, code: Code });

export const listTemplatesEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/templates',
  tag,
  summary: 'Templates of messages and their shared blocks, by code',
  may: 'brand.read',
  params: BrandParams,
  query: Type.Object({ channel: Type.Optional(Channel), ...pageQuery }, strict),
  status: 200,
  answer: PageOf(Type.Object(Summary)),
});

export const createTemplateEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/templates',
  tag,
  summary: 'Make a template',
  description:
    'Refused with the field and line of each mistake: Liquid that cannot be read, fields that the channel does not have, variables and blocks that do not exist.',
  may: 'template.manage',
  conflict: 'There is a template of this code',
  params: BrandParams,
  body: Type.Object({ code: Code, name: Name, channel: Channel, purpose: Purpose, content: Content }, strict),
  status: 201,
  answer: TemplateShown,
});

export const showTemplateEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/templates/:code',
  tag,
  summary: 'One template as it is in use',
  may: 'brand.read',
  params: TemplateParams,
  status: 200,
  answer: TemplateShown,
});

export const changeTemplateEndpoint = endpoint({
  method: 'PUT',
  path: '/brands/:brand/templates/:code',
  tag,
  summary: 'Write the next version of a template, or make it',
  description: 'The same words again make no version. Messages that were sent keep what they said.',
  may: 'template.manage',
  conflict: 'The template is of another channel, or `version` is no longer the version in use',
  params: TemplateParams,
  body: Type.Object(
    {
      code: Type.Optional(Type.String({ description: 'As in the path, where a whole template is sent back' })),
      name: Name,
      channel: Channel,
      purpose: Purpose,
      content: Content,
      version: Type.Optional(
        Type.Integer({ minimum: 0, description: 'The version that was read. Left out: whatever is there is replaced' }),
      ),
    },
    strict,
  ),
  status: 200,
  answer: TemplateShown,
});

export const deleteTemplateEndpoint = endpoint({
  method: 'DELETE',
  path: '/brands/:brand/templates/:code',
  tag,
  summary: 'Delete a template; its versions are kept',
  may: 'template.manage',
  conflict: 'It is a block that templates take',
  params: TemplateParams,
  status: 204,
  answer: Type.Null(),
});

const Version = Type.Object({
  version: Type.Integer(),
  name: Type.String(),
  purpose: Type.Enum([...messagePurposes]),
  content: TemplateShown.properties.content,
  created_at: Moment,
  created_by: Type.String(),
});

export const listTemplateVersions = endpoint({
  method: 'GET',
  path: '/brands/:brand/templates/:code/versions',
  tag,
  summary: 'What a template said, version by version, the newest first',
  may: 'brand.read',
  params: TemplateParams,
  query: Type.Object(pageQuery, strict),
  status: 200,
  answer: PageOf(Version),
});

const AnyValue = Nullable(Type.Unknown());

export const compareTemplateVersions = endpoint({
  method: 'GET',
  path: '/brands/:brand/templates/:code/difference',
  tag,
  summary: 'What differs between two versions of a template, by language and field',
  may: 'brand.read',
  params: TemplateParams,
  query: Type.Object(
    {
      from: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Version' }),
      to: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Default: the one in use' })),
    },
    strict,
  ),
  status: 200,
  answer: Type.Object({
    from: Type.Integer(),
    to: Type.Integer(),
    differences: Type.Array(
      Type.Object({
        language: Type.String(),
        field: Type.String(),
        before: AnyValue,
        after: AnyValue,
      }),
    ),
  }),
});

const Variables = Type.Record(Type.String(), Type.Unknown());
const cause = {
  event: Type.Optional(Variables),
  campaign: Type.Optional(Variables),
  offer: Type.Optional(Variables),
};
const Problem = Type.Object({ path: Type.String(), rule: Type.String(), message: Type.String() });

export const previewTemplateEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/templates/:code/preview',
  tag,
  summary: 'What a template says to a player, in each of its languages',
  description:
    'Nothing is written or sent. Callers who may not see personal data get the fields of the player masked. The unsubscribe link of a preview is one that does nothing.',
  may: 'player.read',
  params: TemplateParams,
  body: Type.Object(
    {
      user_id: Type.Optional(
        Type.String({ minLength: 1, description: 'Left out: nobody, so every variable of a player is missing' }),
      ),
      languages: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 60, description: 'Default: all' })),
      content: Type.Optional(Content),
      purpose: Type.Optional(Type.Enum([...messagePurposes])),
      ...cause,
    },
    { ...strict, default: {} },
  ),
  status: 200,
  answer: Type.Object({
    code: Type.String(),
    version: Type.Integer({ description: 'Whose content was taken, unless the call brings some' }),
    channel: Channel,
    language: Nullable(Type.String({ description: 'The language that the player would read' })),
    previews: Type.Array(
      Type.Object({
        language: Type.String(),
        content: Type.Record(Type.String(), Type.Unknown(), { description: 'As it would be sent' }),
        missing: Type.Array(Type.String(), {
          description:
            'Variables that were put in and have no value for this player; those with a default are not among them',
        }),
        errors: Type.Array(Problem, { description: 'Why it could not be sent so' }),
      }),
    ),
  }),
});
