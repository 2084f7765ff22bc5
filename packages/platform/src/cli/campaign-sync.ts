import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { asText, type CampaignDocument, readCampaignFiles, writeCampaignFile } from './campaign-files.ts';
import { CliError } from './context.ts';
import { lineDifference } from './line-difference.ts';

/** The campaigns of one brand on a running platform, through its console API. */
export interface Platform {
  url: string;
  token: string;
  brand: string;
}

interface ListedCampaign {
  code: string;
  state: string;
  document: CampaignDocument;
  draft: {
    document: CampaignDocument;
    approval: object | null;
    rejection?: { rejected_by: string; reason: string } | null;
  } | null;
}

interface Published extends Pick<ListedCampaign, 'draft'> {
  absent?: { path: string; template: string; message: string }[];
  warnings?: { path: string; message: string }[];
}

/** The platform does not accept one call; others may still succeed. */
class RefusedByPlatform extends CliError {}

/**
 * Writes the document of each campaign, or its draft if there is one. A campaign that already has a file keeps the
 * file's name.
 */
export async function pullCampaigns(platform: Platform, folder: string): Promise<string[]> {
  const campaigns = await listCampaigns(platform);
  const files = new Map((await readCampaignFiles(folder).catch(() => [])).map((one) => [one.document.code, one]));
  const lines: string[] = [];
  for (const campaign of campaigns) {
    const known = files.get(campaign.code);
    const file = known?.file ?? path.join(folder, `${campaign.code}.yaml`);
    const isSame = known !== undefined && isDeepStrictEqual(known.document, newest(campaign));
    if (!isSame) await writeCampaignFile(file, newest(campaign));
    lines.push(`${isSame ? 'unchanged' : 'written'} ${file}`);
  }
  return lines;
}

/** What `apply` would change. @returns lines; empty if nothing would change */
export async function diffCampaigns(platform: Platform, folder: string): Promise<string[]> {
  const there = await campaignsByCode(platform);
  return (await readCampaignFiles(folder)).flatMap(({ file, document }) => {
    const campaign = there.get(document.code);
    if (campaign === undefined) return [`new ${document.code} (${file})`];
    const before = newest(campaign);
    if (isDeepStrictEqual(before, document)) return [];
    const difference = lineDifference(asText(before), asText(document));
    return [`changed ${document.code} (${file})`, ...difference.map((line) => `  ${line}`)];
  });
}

export interface Applied {
  /** What was done with each campaign, with warnings. */
  lines: string[];
  /** One sentence for each campaign that the platform refused. */
  refused: string[];
  /** Campaigns whose draft waits for the approval of a second person. */
  waiting: string[];
}

/**
 * Creates the campaigns of the files, and drafts of those that differ. With `publishes` the drafts come into force, or wait for approval.
 * Campaigns without a file do not change. A second run changes nothing. A draft that a person rejected is refused until its file changes. If a
 * published message inserts a variable of
 * the event or the offer that no run has, it warns about the variable. If the platform refuses a campaign, the others are still applied.
 */
export async function applyCampaigns(
  platform: Platform,
  folder: string,
  how: { publishes: boolean; movesRuns: boolean },
): Promise<Applied> {
  const there = await campaignsByCode(platform);
  const applied: Applied = { lines: [], refused: [], waiting: [] };
  for (const { file, document } of await readCampaignFiles(folder)) {
    const { code } = document;
    try {
      const { lines, waits } = await applyCampaign(platform, there.get(code), document, how);
      applied.lines.push(...lines);
      if (waits) applied.waiting.push(code);
    } catch (error) {
      if (!(error instanceof RefusedByPlatform)) throw error;
      applied.refused.push(`${file}: ${error.message}`);
    }
  }
  return applied;
}

async function applyCampaign(
  platform: Platform,
  campaign: ListedCampaign | undefined,
  document: CampaignDocument,
  { publishes, movesRuns }: { publishes: boolean; movesRuns: boolean },
): Promise<{ lines: string[]; waits: boolean }> {
  const { code } = document;
  const isSame = campaign !== undefined && isDeepStrictEqual(newest(campaign), document);
  if (campaign === undefined) await call(platform, 'POST', '', document);
  else if (!isSame) await call(platform, 'PUT', `/${code}`, document);
  const done = campaign === undefined ? 'created' : isSame ? 'unchanged' : 'changed';
  if (!publishes || (isSame && campaign.draft === null)) return { lines: [`${done} ${code}`], waits: false };
  if (isSame && isWaiting(campaign)) return { lines: [`${done}, waits for approval ${code}`], waits: true };
  const rejection = isSame ? campaign.draft?.rejection : undefined;
  if (rejection)
    throw new RefusedByPlatform(
      `${rejection.rejected_by} rejected this draft of ${code}: ${rejection.reason}. Change the file, or publish the draft in the console`,
    );
  const answer = (await call(platform, 'POST', `/${code}/publish`, { move_runs: movesRuns })) as Published;
  const waits = isWaiting(answer);
  const { absent = [], warnings = [] } = answer;
  const lines = [
    `${done}, ${waits ? 'waits for approval' : 'published'} ${code}`,
    ...warnings.map(({ path: at, message }) => `  warning: ${at}: ${message}`),
    ...absent.map(({ path: at, template, message }) => `  warning: ${at} ${template}: ${message}`),
  ];
  return { lines, waits };
}

function isWaiting({ draft }: Pick<ListedCampaign, 'draft'>): boolean {
  return draft !== null && draft.approval !== null;
}

function newest({ draft, document }: ListedCampaign): CampaignDocument {
  return draft?.document ?? document;
}

async function campaignsByCode(platform: Platform): Promise<Map<string, ListedCampaign>> {
  return new Map((await listCampaigns(platform)).map((one) => [one.code, one]));
}

async function listCampaigns(platform: Platform): Promise<ListedCampaign[]> {
  const campaigns: ListedCampaign[] = [];
  let cursor = '';
  for (;;) {
    const page = (await call(platform, 'GET', `?limit=200${cursor}`)) as {
      items: ListedCampaign[];
      next: string | null;
    };
    campaigns.push(...page.items);
    if (page.next === null) return campaigns;
    cursor = `&cursor=${encodeURIComponent(page.next)}`;
  }
}

/** A call below `campaigns` of the console API. */
export async function call(
  { url, token, brand }: Platform,
  method: string,
  place: string,
  body?: unknown,
): Promise<unknown> {
  const address = new URL(`/api/console/v1/brands/${encodeURIComponent(brand)}/campaigns${place}`, url);
  const response = await fetch(address, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((error: Error) => {
    throw new CliError(
      `${url} does not answer: ${(error.cause as Error | undefined)?.message ?? error.message}. Check that Croupier runs there, or set --url to its address.`,
    );
  });
  const answer = (await response.json().catch(() => ({}))) as {
    title?: string;
    detail?: string;
    errors?: { path: string; message: string }[];
  };
  if (response.ok) return answer;
  if (response.status === 401)
    throw new CliError(`${url} refuses CROUPIER_ADMIN_TOKEN. Set it to the token in the file admin-token of DATA_DIR.`);
  const errors = (answer.errors ?? []).map(({ path: at, message }) => `\n  ${at} ${message}`).join('');
  throw new RefusedByPlatform(
    `${method} campaigns${place}: ${response.status} ${answer.detail ?? answer.title ?? ''}${errors}`,
  );
}
