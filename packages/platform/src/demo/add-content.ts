import type { Campaign } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import type { Brand } from '../brands/index.ts';
import {
  insertCampaign,
  knownTo,
  publish as publishCampaign,
  readCampaigns,
  saveDocument,
} from '../campaigns/index.ts';
import { readTemplate, type WrittenTemplate, writeTemplate } from '../channels/index.ts';
import { timestamptzText, transaction } from '../database/index.ts';
import { insertSegment, PlatformRules, publish, readSegments, saveContent } from '../segments/membership/index.ts';
import { readDemoFiles, type SegmentFile } from './files.ts';

const actor = 'demo';

/** Codes of what was created. */
export interface AddedContent {
  segments: string[];
  templates: string[];
  campaigns: string[];
}

interface DemoContext {
  pool: Pool;
  brand: Brand;
  rules: PlatformRules;
  at: Micros;
}

/**
 * Creates and publishes the files' content for the demo brand: segments, templates, and campaigns that use both. Each is
 * created once: what staff have changed or deleted since stays as it is, and what they created with the same code is left
 * alone.
 */
export async function addDemoContent(pool: Pool, brand: Brand, at: Micros): Promise<AddedContent> {
  const context = { pool, brand, rules: new PlatformRules({ pool }), at };
  const { segments, templates, campaigns } = await readDemoFiles();
  return {
    segments: await each(segments, (file) =>
      once(context, 'segment', file.code, (tx) => addSegment(tx, context, file)),
    ),
    templates: await each(templates, (file) =>
      once(context, 'template', file.code, (tx) => addTemplate(tx, context, file)),
    ),
    campaigns: await each(campaigns, (file) =>
      once(context, 'campaign', file.code, (tx) => addCampaign(tx, context, file)),
    ),
  };
}

async function each<File extends { code: string }>(
  files: readonly File[],
  add: (file: File) => Promise<boolean>,
): Promise<string[]> {
  const made: string[] = [];
  for (const file of files) if (await add(file)) made.push(file.code);
  return made;
}

function once(
  { pool, brand, at }: DemoContext,
  kind: 'segment' | 'template' | 'campaign',
  code: string,
  add: (tx: PoolClient) => Promise<boolean>,
): Promise<boolean> {
  return transaction(pool, async (tx) => {
    const { rowCount } = await tx.query(
      'insert into demo_gift (brand_id, kind, code, made_at) values ($1, $2, $3, $4) on conflict do nothing',
      [brand.brand_id, kind, code, timestamptzText(at)],
    );
    return rowCount === 1 && (await add(tx));
  });
}

async function addSegment(tx: PoolClient, { brand, rules, at }: DemoContext, file: SegmentFile): Promise<boolean> {
  const { brand_id } = brand;
  const { code, name, rule } = file;
  const by = { at, actor };
  if ((await insertSegment(tx, { brand_id, code, name }, by)) === undefined) return false;
  const [segment] = await readSegments(tx, brand_id, { code });
  if (segment === undefined) throw new Error(`the segment ${code} was not made`);
  await saveContent(tx, { brand, rules, segment, content: { rule }, include_protected: false }, by);
  await publish(tx, rules, segment, by);
  return true;
}

async function addTemplate(tx: PoolClient, { brand, at }: DemoContext, file: WrittenTemplate): Promise<boolean> {
  if ((await readTemplate(tx, brand.brand_id, file.code)) !== null) return false;
  await writeTemplate(tx, brand, file, { expected: null, by: actor, at });
  return true;
}

async function addCampaign(tx: PoolClient, { pool, brand, rules, at }: DemoContext, file: Campaign): Promise<boolean> {
  const { brand_id } = brand;
  const { code, name } = file;
  const by = { at, actor };
  if ((await insertCampaign(tx, { brand_id, code, name }, by)) === undefined) return false;
  const [campaign] = await readCampaigns(tx, brand_id, { code, lock: true });
  if (campaign === undefined) throw new Error(`the campaign ${code} was not made`);
  await saveDocument(tx, campaign, file, by);
  rules.forget();
  await publishCampaign(tx, { rules, known: await knownTo(pool, brand), brand }, campaign, by);
  return true;
}
