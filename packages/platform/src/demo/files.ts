import { readdir, readFile } from 'node:fs/promises';
import type { Campaign } from '@croupier/campaigns';
import type { WrittenTemplate } from '../channels/index.ts';

const own = new URL('./segments/', import.meta.url);
const recipes = new URL('../../../../recipes/', import.meta.url);

/** The content of the demo brand, in the order of its dependencies: each is a file in the form that the console API accepts. */
export async function readDemoFiles() {
  return {
    segments: [
      ...(await readFolder<SegmentFile>(own)),
      ...(await readFolder<SegmentFile>(new URL('segments/', recipes))),
    ],
    templates: await readFolder<WrittenTemplate>(new URL('templates/', recipes)),
    campaigns: await readFolder<Campaign>(new URL('campaigns/', recipes)),
  };
}

export interface SegmentFile {
  code: string;
  name: string;
  rule: unknown;
}

async function readFolder<File>(folder: URL): Promise<File[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(new URL(name, folder), 'utf8'))));
}
