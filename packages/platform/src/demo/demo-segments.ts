import { readdir, readFile } from 'node:fs/promises';
import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Brand } from '../brands/index.ts';
import { timestamptzText, transaction } from '../database/index.ts';
import { insertSegment, PlatformRules, publish, readSegments, saveContent } from '../segments/membership/index.ts';

const folder = new URL('./segments/', import.meta.url);
const actor = 'demo';

interface SegmentFile {
  code: string;
  name: string;
  rule: unknown;
}

/**
 * Makes and publishes the segments of the files for the demo brand. Each is made once: what staff changed or deleted since stays as it is,
 * and a segment of theirs with the same code is left alone.
 *
 * @returns the codes of those that were made
 */
export async function giveDemoSegments(pool: Pool, brand: Brand, at: Micros): Promise<string[]> {
  const made: string[] = [];
  const rules = new PlatformRules({ pool });
  for (const file of await readSegmentFiles()) if (await give(pool, { brand, rules }, file, at)) made.push(file.code);
  return made;
}

async function readSegmentFiles(): Promise<SegmentFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(new URL(name, folder), 'utf8'))));
}

function give(
  pool: Pool,
  { brand, rules }: { brand: Brand; rules: PlatformRules },
  { code, name, rule }: SegmentFile,
  at: Micros,
): Promise<boolean> {
  const { brand_id } = brand;
  const by = { at, actor };
  return transaction(pool, async (tx) => {
    const { rowCount } = await tx.query(
      'insert into demo_segment (brand_id, code, made_at) values ($1, $2, $3) on conflict do nothing',
      [brand_id, code, timestamptzText(at)],
    );
    if (rowCount === 0 || (await insertSegment(tx, { brand_id, code, name }, by)) === undefined) return false;
    const [segment] = await readSegments(tx, brand_id, { code });
    if (segment === undefined) throw new Error(`the segment ${code} was not made`);
    await saveContent(tx, { brand, rules, segment, content: { rule }, include_protected: false }, by);
    await publish(tx, rules, segment, by);
    return true;
  });
}
