import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import { campaignsSending, lockReferences } from '../../campaigns/index.ts';
import {
  blocksOf,
  differences,
  listTemplates,
  listVersions,
  messagePurposes,
  readTemplate,
  readVersion,
  removeTemplate,
  type TemplateChannel,
  TemplateConflict,
  type TemplateContent,
  type TemplateRow,
  templateChannels,
  UnfitTemplate,
  usersOf,
  type WrittenTemplate,
  writeTemplate,
} from '../../channels/index.ts';
import { transaction } from '../../database/index.ts';
import type { Access } from '../access/access.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { NamedPlace, namedPageOf, namedQuery, PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentText, Nullable } from '../routing/fields.ts';
import { notFound } from '../routing/not-found.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { wrongFields } from '../routing/wrong-fields.ts';
import { presentSummary, presentTemplate } from './present-template.ts';
import { Channel, Code, Content, Name, strict, TemplateParams, tag } from './schemas.ts';

const Purpose = Type.Enum([...messagePurposes], { default: 'marketing' });

const Summary = {
  code: Type.String(),
  name: Type.String(),
  channel: Channel,
  purpose: Type.Enum([...messagePurposes]),
  version: Type.Integer({ description: 'Each change creates the next version' }),
  languages: Type.Array(Type.String()),
  created_at: Moment,
  changed_at: Moment,
  changed_by: Type.String(),
};

const TemplateShown = Type.Object({
  ...Summary,
  content: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())),
  variables: Type.Array(Type.String(), { description: 'Variables used in its texts and blocks' }),
  needed: Type.Array(Type.String(), {
    description: 'Variables that its texts insert without a default. If one has no value, the text has a gap',
  }),
  used_by: Type.Array(Type.String(), { description: 'For a block: the templates that use it' }),
  campaigns: Type.Array(Type.Object({ code: Type.String(), published: Type.Boolean() }), {
    description:
      'Campaigns of which a version sends it. `published`: the version in force, or an earlier one that still has runs; otherwise only the draft',
  }),
});

const SentOn = Type.Enum([...templateChannels], {
  description: 'Only templates that messages of this channel can use: push also uses templates of site',
});

export const listTemplatesEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/templates',
  tag,
  summary: 'Message templates and shared blocks, by name',
  may: 'brand.read',
  params: BrandParams,
  query: Type.Object({ ...namedQuery, channel: Type.Optional(Channel), sent_on: Type.Optional(SentOn) }, strict),
  status: 200,
  answer: PageOf(Type.Object(Summary)),
});

export const createTemplateEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/templates',
  tag,
  summary: 'Create a template',
  description:
    'Refused with the field and line of each error: invalid Liquid, fields that the channel does not have, variables and blocks that do not exist.',
  may: 'template.manage',
  conflict: 'The template already exists',
  params: BrandParams,
  body: Type.Object({ code: Code, name: Name, channel: Channel, purpose: Purpose, content: Content }, strict),
  status: 201,
  answer: TemplateShown,
});

export const showTemplateEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/templates/:code',
  tag,
  summary: 'One template, current version',
  may: 'brand.read',
  params: TemplateParams,
  status: 200,
  answer: TemplateShown,
});

export const changeTemplateEndpoint = endpoint({
  method: 'PUT',
  path: '/brands/:brand/templates/:code',
  tag,
  summary: 'Create the next version of a template, or create the template',
  description: 'Unchanged content creates no version. Sent messages keep their content.',
  may: 'template.manage',
  conflict: 'The template has another channel, or `version` is no longer the current version',
  params: TemplateParams,
  body: Type.Object(
    {
      code: Type.Optional(Type.String({ description: 'Must match the path' })),
      name: Name,
      channel: Channel,
      purpose: Purpose,
      content: Content,
      version: Type.Optional(
        Type.Integer({ minimum: 0, description: 'The version that you read. Default: replaces any version' }),
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
  conflict: 'Templates use this block, or a published campaign sends this template',
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
  summary: 'The versions of a template, newest first',
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
  summary: 'Differences between two versions of a template, by language and field',
  may: 'brand.read',
  params: TemplateParams,
  query: Type.Object(
    {
      from: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Version to compare' }),
      to: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Default: the current version' }),
      ),
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

const codes = new CursorCodec('templates', NamedPlace);
const versions = new CursorCodec('template-versions', Type.Integer());

/** Templates as written, with their history. Previews and tests are in action-routes.ts. */
export function templateRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;

  const present = async (row: TemplateRow, brand: Brand) => {
    const [blocks, used, campaigns] = await Promise.all([
      blocksOf(pool, brand),
      row.channel === 'block' ? usersOf(pool, brand.brand_id, row.code) : [],
      campaignsSending(pool, brand.brand_id, row.code),
    ]);
    return { ...presentTemplate(row, brand, blocks, used), campaigns };
  };

  const write = async (
    call: { access: Access; brand: Brand },
    written: WrittenTemplate,
    expected: number | null | undefined,
  ) => {
    const { access, brand } = call;
    const wanted = { expected, by: access.actor, at: clock() };
    const template = await transaction(pool, async (tx) => {
      const { template: row, changed } = await writeTemplate(tx, brand, written, wanted).catch(refuseTemplate);
      if (changed) {
        const action = row.version === 1 ? 'template.created' : 'template.changed';
        const details = { channel: row.channel, version: row.version };
        await record(deps, access, { action, brand, subject: `template ${row.code}`, details }, tx);
      }
      return row;
    });
    return present(template, brand);
  };

  serve(app, listTemplatesEndpoint, async ({ brand, query }) => {
    const channel = query.channel as TemplateChannel | undefined;
    const sentOn = query.sent_on as TemplateChannel | undefined;
    const rows = await listTemplates(pool, brand.brand_id, { channel, sentOn, ...namedPageOf(query, codes) });
    const { items, next } = pageFrom(rows, query.limit, ({ name: last, code }) => codes.encode({ name: last, code }));
    return { items: items.map(presentSummary), next };
  });

  serve(app, createTemplateEndpoint, async (call) => write(call, writtenOf(call.body), null));

  serve(app, showTemplateEndpoint, async ({ brand, params }) =>
    present(await knownTemplate(deps, brand, params.code), brand),
  );

  serve(app, changeTemplateEndpoint, async (call) => {
    const { code } = call.params;
    if (call.body.code !== undefined && call.body.code !== code)
      throw new Refused('invalid_request', {
        en: `code: a template cannot change its code; the path has ${code}`,
        de: `code: Das Kürzel einer Vorlage kann nicht geändert werden; in der Adresse steht ${code}`,
      });
    return write(call, writtenOf({ ...call.body, code }), call.body.version);
  });

  serve(app, deleteTemplateEndpoint, async ({ access, brand, params: { code } }) => {
    await transaction(pool, async (tx) => {
      await lockReferences(tx, brand.brand_id);
      const sending = (await campaignsSending(tx, brand.brand_id, code)).filter(({ published }) => published);
      if (sending.length > 0)
        throw new Refused('conflict', {
          en: `the template ${code} is sent by these campaigns: ${sending.map((campaign) => campaign.code).join(', ')}`,
          de: `Diese Kampagnen senden die Vorlage ${code}: ${sending.map((campaign) => campaign.code).join(', ')}`,
        });
      const removed = await removeTemplate(tx, brand.brand_id, code, clock()).catch(refuseTemplate);
      if (removed === null) throw noTemplate(code);
      const details = { channel: removed.channel, version: removed.version };
      await record(deps, access, { action: 'template.deleted', brand, subject: `template ${code}`, details }, tx);
    });
    return null;
  });

  serve(app, listTemplateVersions, async ({ brand, params, query: { limit, cursor } }) => {
    const { template_id } = await knownTemplate(deps, brand, params.code);
    const before = versions.decode(cursor);
    const rows = await listVersions(pool, template_id, { before, limit: limit + 1 });
    const { items, next } = pageFrom(rows, limit, ({ version }) => versions.encode(version));
    return { items: items.map((row) => ({ ...row, created_at: momentText(row.created_at) })), next };
  });

  serve(app, compareTemplateVersions, async ({ brand, params, query }) => {
    const template = await knownTemplate(deps, brand, params.code);
    const { from, to = template.version } = query;
    const contentOf = async (version: number): Promise<TemplateContent> => {
      const found = await readVersion(pool, template.template_id, version);
      if (found === null)
        throw new Refused('not_found', {
          en: `version ${version} of the template ${template.code} does not exist`,
          de: `Version ${version} der Vorlage ${template.code} gibt es nicht`,
        });
      return found.content;
    };
    const [before, after] = [await contentOf(from), await contentOf(to)];
    return { from, to, differences: differences(before, after) };
  });
}

type WrittenBody = Omit<WrittenTemplate, 'channel' | 'purpose' | 'content'> & {
  channel: string;
  purpose: string;
  content: object;
};

function writtenOf({ code, name, channel, purpose, content }: WrittenBody): WrittenTemplate {
  return { code, name, channel, purpose, content } as WrittenTemplate;
}

export async function knownTemplate(
  { pool }: Pick<ConsoleDeps, 'pool'>,
  brand: Brand,
  code: string,
): Promise<TemplateRow> {
  const template = await readTemplate(pool, brand.brand_id, code);
  if (template === null) throw noTemplate(code);
  return template;
}

function noTemplate(code: string): Refused {
  return notFound('template', code);
}

export function refuseTemplate(error: unknown): never {
  if (error instanceof UnfitTemplate) throw wrongFields(error.errors);
  throw error instanceof TemplateConflict ? new Refused('conflict', error.words) : error;
}
