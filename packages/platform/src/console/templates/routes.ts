import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import {
  blocksOf,
  differences,
  listTemplates,
  listVersions,
  readTemplate,
  readVersion,
  removeTemplate,
  type TemplateChannel,
  TemplateConflict,
  type TemplateContent,
  type TemplateRow,
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
import { pageFrom } from '../paging/page.ts';
import { momentText } from '../routing/fields.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import {
  changeTemplateEndpoint,
  compareTemplateVersions,
  createTemplateEndpoint,
  deleteTemplateEndpoint,
  listTemplatesEndpoint,
  listTemplateVersions,
  showTemplateEndpoint,
} from './endpoints.ts';
import { presentSummary, presentTemplate } from './present-template.ts';

const codes = new CursorCodec('templates', Type.String());
const versions = new CursorCodec('template-versions', Type.Integer());

/** Templates as they are written, with their history. What they make is in action-routes.ts. */
export function templateRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;

  const present = async (row: TemplateRow, brand: Brand) => {
    const [blocks, used] = await Promise.all([
      blocksOf(pool, brand),
      row.channel === 'block' ? usersOf(pool, brand.brand_id, row.code) : [],
    ]);
    return presentTemplate(row, brand, blocks, used);
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

  serve(app, listTemplatesEndpoint, async ({ brand, query: { channel, limit, cursor } }) => {
    const after = cursor === undefined ? undefined : codes.decode(cursor);
    const wanted = { channel: channel as TemplateChannel | undefined, after, limit: limit + 1 };
    const rows = await listTemplates(pool, brand.brand_id, wanted);
    const { items, next } = pageFrom(rows, limit, ({ code }) => codes.encode(code));
    return { items: items.map(presentSummary), next };
  });

  serve(app, createTemplateEndpoint, async (call) => write(call, writtenOf(call.body), null));

  serve(app, showTemplateEndpoint, async ({ brand, params }) =>
    present(await knownTemplate(deps, brand, params.code), brand),
  );

  serve(app, changeTemplateEndpoint, async (call) => {
    const { code } = call.params;
    if (call.body.code !== undefined && call.body.code !== code)
      throw new Refused('invalid_request', `code: a template keeps its code; the path says ${code}`);
    return write(call, writtenOf({ ...call.body, code }), call.body.version);
  });

  serve(app, deleteTemplateEndpoint, async ({ access, brand, params: { code } }) => {
    await transaction(pool, async (tx) => {
      const removed = await removeTemplate(tx, brand.brand_id, code, clock()).catch(refuseTemplate);
      if (removed === null) throw noTemplate(code);
      const details = { channel: removed.channel, version: removed.version };
      await record(deps, access, { action: 'template.deleted', brand, subject: `template ${code}`, details }, tx);
    });
    return null;
  });

  serve(app, listTemplateVersions, async ({ brand, params, query: { limit, cursor } }) => {
    const { template_id } = await knownTemplate(deps, brand, params.code);
    const before = cursor === undefined ? undefined : versions.decode(cursor);
    const rows = await listVersions(pool, template_id, { before, limit: limit + 1 });
    const { items, next } = pageFrom(rows, limit, ({ version }) => versions.encode(version));
    return { items: items.map((row) => ({ ...row, created_at: momentText(row.created_at) })), next };
  });

  serve(app, compareTemplateVersions, async ({ brand, params, query }) => {
    const template = await knownTemplate(deps, brand, params.code);
    const { from, to = template.version } = query;
    const contentOf = async (version: number): Promise<TemplateContent> => {
      const found = await readVersion(pool, template.template_id, version);
      if (found === null) throw new Refused('not_found', `the template ${template.code} has no version ${version}`);
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
  return new Refused('not_found', `the brand has no template ${code}`);
}

export function refuseTemplate(error: unknown): never {
  if (error instanceof UnfitTemplate) throw new Refused('invalid_request', error.message, { errors: error.errors });
  throw error instanceof TemplateConflict ? new Refused('conflict', error.message) : error;
}
