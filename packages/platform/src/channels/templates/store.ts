import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { type NamedPage, namedPageSql, namedPageValues, timestamptzText } from '../../database/index.ts';
import type { Template, TemplateChannel, TemplateContent } from './template.ts';

/** All SQL statements on template and template_version. */
export interface TemplateRow extends Template {
  created_at: Micros;
  changed_at: Micros;
  changed_by: string;
}

const columns = `t.template_id, t.brand_id, t.code, t.channel, t.version, v.name, v.purpose, v.content, t.created_at,
  v.created_at as changed_at, v.created_by as changed_by`;
const current = 'template t join template_version v using (template_id, version)';

export async function readTemplate(db: Pool | ClientBase, brandId: number, code: string): Promise<TemplateRow | null> {
  const [template] = await readTemplates(db, brandId, [code]);
  return template ?? null;
}

/** The templates with these codes. Codes without a template are left out. */
export async function readTemplates(
  db: Pool | ClientBase,
  brandId: number,
  codes: readonly string[],
): Promise<TemplateRow[]> {
  if (codes.length === 0) return [];
  const { rows } = await db.query<TemplateRow>({
    name: 'read_templates',
    text: `select ${columns} from ${current} where t.brand_id = $1 and t.code = any($2::text[]) and t.deleted_at is null`,
    values: [brandId, codes],
  });
  return rows;
}

/** Selects one page of the list of templates. */
export interface TemplatePage extends NamedPage {
  channel?: TemplateChannel | undefined;
  /** Only templates that messages of this channel can use: push also uses those of site. */
  sentOn?: TemplateChannel | undefined;
}

/** One page of a brand's templates, by name. */
export async function listTemplates(
  db: Pool | ClientBase,
  brandId: number,
  { channel, sentOn, ...page }: TemplatePage,
): Promise<TemplateRow[]> {
  const { rows } = await db.query<TemplateRow>(
    `select ${columns} from ${current}
      where t.brand_id = $1 and t.deleted_at is null and ($2::text is null or t.channel = $2)
        and ($3::text is null or t.channel = $3 or ($3 = 'push' and t.channel = 'site'))
        ${namedPageSql({ name: 'v.name', code: 't.code' }, 4)}`,
    [brandId, channel ?? null, sentOn ?? null, ...namedPageValues(page)],
  );
  return rows;
}

/** All blocks of a brand; they are few and small. */
export async function readBlocks(
  db: Pool | ClientBase,
  brandId: number,
): Promise<Pick<TemplateRow, 'code' | 'content'>[]> {
  const { rows } = await db.query<Pick<TemplateRow, 'code' | 'content'>>({
    name: 'read_template_blocks',
    text: `select t.code, v.content from ${current} where t.brand_id = $1 and t.channel = 'block' and t.deleted_at is null`,
    values: [brandId],
  });
  return rows;
}

/** All templates of a brand, to find where a block is used. */
export async function readAll(
  db: Pool | ClientBase,
  brandId: number,
): Promise<Pick<TemplateRow, 'code' | 'content'>[]> {
  const { rows } = await db.query<Pick<TemplateRow, 'code' | 'content'>>(
    `select t.code, v.content from ${current} where t.brand_id = $1 and t.deleted_at is null order by t.code`,
    [brandId],
  );
  return rows;
}

/** Codes of templates whose text contains `words`, for example the address of a picture. */
export async function templatesNaming(db: Pool | ClientBase, brandId: number, words: string): Promise<string[]> {
  const { rows } = await db.query<{ code: string }>(
    `select t.code from ${current}
      where t.brand_id = $1 and t.deleted_at is null and position($2 in v.content::text) > 0 order by t.code`,
    [brandId, words],
  );
  return rows.map(({ code }) => code);
}

/** Until the end of the transaction no other transaction can write templates of this brand. */
export async function lockTemplates(tx: ClientBase, brandId: number): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('template'), $1)`, [brandId]);
}

export type NewVersion = Pick<Template, 'name' | 'purpose' | 'content'> & { created_by: string };

export async function insertTemplate(
  tx: ClientBase,
  { brand_id, code, channel }: Pick<Template, 'brand_id' | 'code' | 'channel'>,
  at: Micros,
): Promise<number> {
  const { rows } = await tx.query<{ template_id: number }>(
    `insert into template (brand_id, code, channel, version, created_at) values ($1, $2, $3, 0, $4) returning template_id`,
    [brand_id, code, channel, timestamptzText(at)],
  );
  return rows[0]?.template_id ?? 0;
}

export async function insertVersion(
  tx: ClientBase,
  templateId: number,
  version: number,
  { name, purpose, content, created_by }: NewVersion,
  at: Micros,
): Promise<void> {
  await tx.query(
    `insert into template_version (template_id, version, name, purpose, content, created_at, created_by)
     values ($1, $2, $3, $4, $5::json, $6, $7)`,
    [templateId, version, name, purpose, JSON.stringify(content), timestamptzText(at), created_by],
  );
  await tx.query('update template set version = $2 where template_id = $1', [templateId, version]);
}

export async function deleteTemplate(tx: ClientBase, templateId: number, at: Micros): Promise<void> {
  await tx.query('update template set deleted_at = $2 where template_id = $1', [templateId, timestamptzText(at)]);
}

export interface TemplateVersion {
  version: number;
  name: string;
  purpose: Template['purpose'];
  content: TemplateContent;
  created_at: Micros;
  created_by: string;
}

/** Newest first. */
export async function listVersions(
  pool: Pool,
  templateId: number,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<TemplateVersion[]> {
  const { rows } = await pool.query<TemplateVersion>(
    `select version, name, purpose, content, created_at, created_by from template_version
      where template_id = $1 and version < $2 order by version desc limit $3`,
    [templateId, before ?? 2 ** 31 - 1, limit],
  );
  return rows;
}

export async function readVersion(pool: Pool, templateId: number, version: number): Promise<TemplateVersion | null> {
  const { rows } = await pool.query<TemplateVersion>(
    `select version, name, purpose, content, created_at, created_by from template_version
      where template_id = $1 and version = $2`,
    [templateId, version],
  );
  return rows[0] ?? null;
}
