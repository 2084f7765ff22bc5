import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { CliError } from './context.ts';

/** A campaign's document from a file. The console API validates it. */
export type CampaignDocument = Record<string, unknown> & { code: string };

export interface CampaignFile {
  file: string;
  document: CampaignDocument;
}

/** The campaigns of a folder: its YAML and JSON files, without subfolders and without scenarios. */
export async function readCampaignFiles(folder: string): Promise<CampaignFile[]> {
  const names = await readdir(folder).catch(() => {
    throw new CliError(`the folder ${folder} does not exist`);
  });
  const own = names.filter((name) => /\.(ya?ml|json)$/.test(name) && !/scenarios\.(ya?ml|json)$/.test(name)).toSorted();
  const files = await Promise.all(own.map((name) => readCampaignFile(path.join(folder, name))));
  const codes = new Map<string, string>();
  for (const { file, document } of files) {
    const other = codes.get(document.code);
    if (other !== undefined) throw new CliError(`${file} and ${other} contain the same campaign ${document.code}`);
    codes.set(document.code, file);
  }
  return files;
}

async function readCampaignFile(file: string): Promise<CampaignFile> {
  let document: unknown;
  try {
    document = parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new CliError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof (document as { code?: unknown } | null)?.code !== 'string')
    throw new CliError(`${file} is not a campaign: it has no code`);
  return { file, document: document as CampaignDocument };
}

export async function writeCampaignFile(file: string, document: CampaignDocument): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const text = file.endsWith('.json') ? `${JSON.stringify(document, null, 2)}\n` : asText(document);
  await writeFile(file, text);
}

/** The form used in files and differences. */
export function asText(document: CampaignDocument): string {
  return stringify(document, { lineWidth: 0 });
}
