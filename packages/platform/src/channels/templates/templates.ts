import { isDeepStrictEqual } from 'node:util';
import type { FieldError, Micros } from '@croupier/contracts';
import type { ClientBase, Pool, PoolClient } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { WordedError } from '../../language.ts';
import { contentErrors, variableErrors } from './check.ts';
import { type BlockTexts, ReadTemplate } from './compose.ts';
import { chooseLanguage, languageTag } from './language.ts';
import {
  deleteTemplate,
  insertTemplate,
  insertVersion,
  lockTemplates,
  readAll,
  readBlocks,
  readTemplate,
  type TemplateRow,
} from './store.ts';
import type { Template, TemplateContent } from './template.ts';

/** A template that cannot be used as written; each error names its field. */
export class UnfitTemplate extends Error {
  override name = 'UnfitTemplate';
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    super(errors.map(({ message }) => message).join('; '));
    this.errors = errors;
  }
}

/** The current state does not allow the change. */
export class TemplateConflict extends WordedError {
  override name = 'TemplateConflict';
}

export type WrittenTemplate = Pick<Template, 'code' | 'channel' | 'name' | 'purpose' | 'content'>;

/** The brand's blocks, each with the language to which a template of this brand falls back. */
export async function blocksOf(db: Pool | ClientBase, brand: Brand): Promise<BlockTexts> {
  const blocks = await readBlocks(db, brand.brand_id);
  return Object.fromEntries(
    blocks.map(({ code, content }) => [code, blockText(content, brand.settings.default_language)]),
  );
}

/**
 * A block in several languages selects one by the language of the text around it, in the same way as a template chooses: its own language or one of
 * its parents (pt-BR, pt), then the default. Pure.
 */
function blockText(content: TemplateContent, brandDefault: string): string {
  const languages = Object.keys(content);
  const fallback = chooseLanguage(languages, null, brandDefault);
  const textOf = (language: string | null) => String(content[language ?? '']?.body ?? '');
  const others = languages.filter((language) => language !== fallback);
  // A layout cannot be inside a case, so blocks of one language stay unchanged.
  if (others.length === 0) return textOf(fallback);
  const tags = languages.map(languageTag);
  const whenClauses = others.map((language) => `{% when '${languageTag(language)}' %}${textOf(language)}`).join('');
  return `${chooseOf(tags)}{% case block_language %}${whenClauses}{% else %}${textOf(fallback)}{% endcase %}`;
}

/** Liquid that sets `block_language` to the language of the text around the block, or its nearest parent that the block has. */
function chooseOf(tags: readonly string[]): string {
  return [
    "assign block_tag = language | downcase | replace: '_', '-'",
    "assign block_parts = block_tag | split: '-'",
    "assign block_two = block_parts[0] | append: '-' | append: block_parts[1]",
    `assign block_tags = '${tags.join(',')}' | split: ','`,
    'if block_tags contains block_tag',
    'assign block_language = block_tag',
    'elsif block_tags contains block_two',
    'assign block_language = block_two',
    'else',
    'assign block_language = block_parts[0]',
    'endif',
  ]
    .map((tag) => `{% ${tag} %}`)
    .join('');
}

/** @throws {UnfitTemplate} */
export function readWritten(
  template: Pick<Template, 'channel' | 'purpose' | 'content'>,
  brand: Brand,
  blocks: BlockTexts,
): ReadTemplate {
  const errors = contentErrors(template.channel, template.content);
  if (errors.length > 0) throw new UnfitTemplate(errors);
  const read = new ReadTemplate(template, brand, blocks);
  const liquid = read.errors.map(({ path, rule, message }) => ({ path: `content.${path}`, rule, message }));
  const found = [...liquid, ...variableErrors(read)];
  if (found.length > 0) throw new UnfitTemplate(found);
  return read;
}

/**
 * Creates a template, or its next version. Unchanged content creates no version.
 *
 * @param expected the version that the author has read; undefined for any; null if the template must not exist yet
 * @throws {UnfitTemplate} {TemplateConflict}
 */
export async function writeTemplate(
  tx: PoolClient,
  brand: Brand,
  written: WrittenTemplate,
  { expected, by, at }: { expected: number | null | undefined; by: string; at: Micros },
): Promise<{ template: TemplateRow; changed: boolean }> {
  await lockTemplates(tx, brand.brand_id);
  const before = await readTemplate(tx, brand.brand_id, written.code);
  if (before !== null && expected === null)
    throw new TemplateConflict({
      en: `the template ${written.code} already exists`,
      de: `Die Vorlage ${written.code} gibt es bereits`,
    });
  if (before !== null && expected !== undefined && expected !== before.version)
    throw new TemplateConflict({
      en: `${written.code} now has version ${before.version}, because it was changed; read it again`,
      de: `${written.code} wurde geändert und hat jetzt Version ${before.version}; lesen Sie die Vorlage erneut`,
    });
  if (before !== null && before.channel !== written.channel)
    throw new TemplateConflict({
      en: `${written.code} has the channel ${before.channel}, which cannot be changed`,
      de: `${written.code} hat den Kanal ${before.channel}, der nicht geändert werden kann`,
    });
  const blocks = await blocksOf(tx, brand);
  const own =
    written.channel === 'block' ? { [written.code]: blockText(written.content, brand.settings.default_language) } : {};
  readWritten(written, brand, { ...blocks, ...own });
  if (before !== null && isSame(before, written)) return { template: before, changed: false };
  const id = before?.template_id ?? (await insertTemplate(tx, { ...written, brand_id: brand.brand_id }, at));
  await insertVersion(tx, id, (before?.version ?? 0) + 1, { ...written, created_by: by }, at);
  const template = await readTemplate(tx, brand.brand_id, written.code);
  if (template === null) throw new Error('a template was not stored');
  return { template, changed: true };
}

function isSame(before: WrittenTemplate, after: WrittenTemplate): boolean {
  const parts = ({ name, purpose, content }: WrittenTemplate) => ({ name, purpose, content });
  return isDeepStrictEqual(parts(before), parts(after));
}

/** @returns null if there is no such template. @throws {TemplateConflict} for a block that other templates include */
export async function removeTemplate(
  tx: PoolClient,
  brandId: number,
  code: string,
  at: Micros,
): Promise<TemplateRow | null> {
  await lockTemplates(tx, brandId);
  const template = await readTemplate(tx, brandId, code);
  if (template === null) return null;
  const users = template.channel === 'block' ? await usersOf(tx, brandId, code) : [];
  if (users.length > 0)
    throw new TemplateConflict({
      en: `${code} is used by ${users.join(', ')}`,
      de: `${code} wird verwendet von ${users.join(', ')}`,
    });
  await deleteTemplate(tx, template.template_id, at);
  return template;
}

/** Templates and blocks that include a block in one of their texts. */
export async function usersOf(db: Pool | ClientBase, brandId: number, code: string): Promise<string[]> {
  const named = new RegExp(`\\{%-?\\s*(?:render|include|layout)\\s+['"]${code}['"]`);
  const all = await readAll(db, brandId);
  const texts = (content: TemplateContent) => Object.values(content).flatMap((fields) => Object.values(fields));
  return all
    .filter(
      (one) => one.code !== code && texts(one.content).some((text) => typeof text === 'string' && named.test(text)),
    )
    .map((one) => one.code);
}
