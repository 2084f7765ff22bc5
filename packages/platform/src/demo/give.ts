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
import { readGifts, type SegmentFile } from './files.ts';

const actor = 'demo';

/** Codes of what was created. */
export interface Given {
  segments: string[];
  templates: string[];
  campaigns: string[];
}

interface Giving {
  pool: Pool;
  brand: Brand;
  rules: PlatformRules;
  at: Micros;
}

/**
 * Creates and publishes the files' content for the demo brand: segments, templates, and campaigns that use both. Each is
 * created only once. Later changes and deletions by staff are kept. If staff have already created something with the same
 * code, it is not changed.
 */
export async function giveDemo(pool: Pool, brand: Brand, at: Micros): Promise<Given> {
  const giving = { pool, brand, rules: new PlatformRules({ pool }), at };
  const { segments, templates, campaigns } = await readGifts();
  return {
    segments: await each(segments, (file) => once(giving, 'segment', file.code, (tx) => giveSegment(tx, giving, file))),
    templates: await each(templates, (file) =>
      once(giving, 'template', file.code, (tx) => giveTemplate(tx, giving, file)),
    ),
    campaigns: await each(campaigns, (file) =>
      once(giving, 'campaign', file.code, (tx) => giveCampaign(tx, giving, file)),
    ),
  };
}

async function each<File extends { code: string }>(
  files: readonly File[],
  give: (file: File) => Promise<boolean>,
): Promise<string[]> {
  const made: string[] = [];
  for (const file of files) if (await give(file)) made.push(file.code);
  return made;
}

function once(
  { pool, brand, at }: Giving,
  kind: 'segment' | 'template' | 'campaign',
  code: string,
  give: (tx: PoolClient) => Promise<boolean>,
): Promise<boolean> {
  return transaction(pool, async (tx) => {
    const { rowCount } = await tx.query(
      'insert into demo_gift (brand_id, kind, code, made_at) values ($1, $2, $3, $4) on conflict do nothing',
      [brand.brand_id, kind, code, timestamptzText(at)],
    );
    return rowCount === 1 && (await give(tx));
  });
}

async function giveSegment(tx: PoolClient, { brand, rules, at }: Giving, file: SegmentFile): Promise<boolean> {
  const { brand_id } = brand;
  const { code, name, rule } = file;
  const by = { at, actor };
  if ((await insertSegment(tx, { brand_id, code, name }, by)) === undefined) return false;
  const [segment] = await readSegments(tx, brand_id, { code });
  if (segment === undefined) throw new Error(`the segment ${code} was not created`);
  await saveContent(tx, { brand, rules, segment, content: { rule }, include_protected: false }, by);
  await publish(tx, rules, segment, by);
  return true;
}

async function giveTemplate(tx: PoolClient, { brand, at }: Giving, file: WrittenTemplate): Promise<boolean> {
  if ((await readTemplate(tx, brand.brand_id, file.code)) !== null) return false;
  await writeTemplate(tx, brand, file, { expected: null, by: actor, at });
  return true;
}

async function giveCampaign(tx: PoolClient, { pool, brand, rules, at }: Giving, file: Campaign): Promise<boolean> {
  const { brand_id } = brand;
  const { code, name } = file;
  const by = { at, actor };
  if ((await insertCampaign(tx, { brand_id, code, name }, by)) === undefined) return false;
  const [campaign] = await readCampaigns(tx, brand_id, { code, lock: true });
  if (campaign === undefined) throw new Error(`the campaign ${code} was not created`);
  await saveDocument(tx, campaign, file, by);
  rules.forget();
  await publishCampaign(tx, { rules, known: await knownTo(pool, brand), brand }, campaign, by);
  return true;
}
