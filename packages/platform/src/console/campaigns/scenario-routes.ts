import { allSteps, type Campaign } from '@croupier/campaigns';
import { type Micros, readTimestampText } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { listTemplates, readTemplate } from '../../channels/index.ts';
import { type LedgerEvent, playerHash } from '../../ledger/index.ts';
import { readSyncedPlayer } from '../../operator/players/index.ts';
import { type PlayerState, type Scenario, ScenarioError, type ScenarioStep } from '../../scenarios/index.ts';
import { readPlayerTags, readSegments, readVersions } from '../../segments/membership/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { knownPlayer } from '../players/known-player.ts';
import { momentText } from '../routing/fields.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { scenarioEndpoint } from './scenario-endpoint.ts';
import { presentEntry } from './timeline.ts';

/** Events of a copied player. */
const mostPast = 20_000;

export function scenarioRoutes(app: FastifyInstance, { pool, clock, ledger, scenarios }: ConsoleDeps): void {
  serve(app, scenarioEndpoint, async ({ brand, body }) => {
    const { campaign, player = {}, events = [], enter, until } = body;
    const { copy_of, ...made } = player;
    const copied = copy_of === undefined ? {} : await copyOf(pool, ledger, brand, copy_of);
    const sorted = events.toSorted((a, b) => micros(a.at) - micros(b.at));
    const at = sorted[0]?.at ?? momentText(clock());
    const steps: ScenarioStep[] = enter === undefined ? [] : [{ enter: { key: 'scenario', ...enter } }];
    for (const event of sorted) steps.push({ until: event.at }, { event: event.kind, body: event.body ?? {} });
    if (until !== undefined) steps.push({ until });
    const { past, ...state } = { past: [], ...copied };
    const scenario: Scenario = {
      name: 'scenario',
      at,
      brand: { ...brand.settings },
      campaigns: [campaign],
      templates: await templatesOf(pool, brand, campaign),
      segments: await segmentsOf(pool, brand, campaign),
      player: { ...state, ...made },
      past,
      steps,
    };
    const { lines, failures } = await run(() => scenarios.run(scenario));
    if (failures.length > 0) throw new Refused('invalid_request', failures.join('; '));
    const timeline = lines.flatMap((line) => (line.kind === 'came' ? [presentEntry(line.entry)] : []));
    return { timeline };
  });
}

async function run<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ScenarioError) throw new Refused('conflict', error.message);
    throw error;
  }
}

function micros(text: string): Micros {
  const written = readTimestampText(text);
  if (!written?.zoned) throw new Refused('invalid_request', `${text} is no moment with its offset`);
  return written.micros;
}

async function copyOf(
  pool: Pool,
  ledger: Pick<ConsoleDeps['ledger'], 'history'>,
  brand: Brand,
  userId: string,
): Promise<PlayerState & { past: LedgerEvent[] }> {
  const { brand_id } = brand;
  const { player_id } = await knownPlayer(pool, brand, userId);
  const [{ profile, consents, blocks }, tags] = await Promise.all([
    readSyncedPlayer(pool, player_id),
    readPlayerTags(pool, player_id),
  ]);
  const past: LedgerEvent[] = [];
  for await (const page of ledger.history({ brand_id, player_hash: playerHash(brand_id, userId) })) {
    past.push(...page);
    if (past.length > mostPast)
      throw new Refused('conflict', `player ${userId} has more than ${mostPast} events: describe the player instead`);
  }
  const { extra = {}, is_blocked, is_excluded, roles: _roles, ...fields } = profile ?? {};
  const known = Object.entries(fields).filter(([, value]) => typeof value === 'string');
  return {
    user_id: userId,
    profile: { ...Object.fromEntries(known), ...extra, segmentation: profile?.segmentation ?? {} },
    consents: Object.fromEntries(consents.map(({ type, opted_in }) => [type, opted_in === true])),
    blocks: Object.fromEntries(blocks.map(({ type, active }) => [type, active === true])),
    tags: tags.map(({ tag }) => tag),
    excluded: is_excluded === true,
    blocked: is_blocked === true,
    past,
  };
}

/** Those that the campaign sends, and blocks that they may include. */
async function templatesOf(pool: Pool, brand: Brand, campaign: Campaign) {
  const named = allSteps(campaign.steps ?? []).flatMap((step) => {
    if ('send' in step) return [step.send.template];
    if ('webhook' in step) return [step.webhook.template];
    return 'call_list' in step ? [step.call_list.template] : [];
  });
  const blocks = await listTemplates(pool, brand.brand_id, { channel: 'block', limit: 1_000 });
  const sent = await Promise.all([...new Set(named)].map((code) => readTemplate(pool, brand.brand_id, code)));
  return [...blocks, ...sent.filter((one) => one !== null)].map(({ code, name, channel, purpose, content }) => ({
    code,
    name,
    channel,
    purpose,
    content,
  }));
}

/** Segments that the campaign names, behind those that they name themselves. */
async function segmentsOf(
  pool: Pool,
  { brand_id }: Brand,
  campaign: Campaign,
): Promise<NonNullable<Scenario['segments']>> {
  const segments = await readSegments(pool, brand_id);
  const versions = await readVersions(
    pool,
    segments.map(({ segment_id }) => segment_id),
  );
  const byCode = new Map(segments.map((one) => [one.code, one]));
  const needed = new Map<string, NonNullable<Scenario['segments']>[number]>();
  const add = (code: string): void => {
    const segment = byCode.get(code);
    const version = versions.find(
      ({ segment_id, rule, published_at }) =>
        segment_id === segment?.segment_id && rule !== null && published_at !== null,
    );
    if (segment === undefined || version === undefined || version.rule === null || needed.has(code)) return;
    for (const other of namesIn(version.rule)) if (other !== code) add(other);
    needed.set(code, { code, name: segment.name, rule: version.rule, include_protected: version.include_protected });
  };
  const { entry } = campaign;
  if (typeof entry === 'object' && 'segment' in entry) add(entry.segment);
  if (typeof entry === 'object' && 'to' in entry && entry.to !== undefined) add(entry.to);
  for (const code of namesIn(campaign)) add(code);
  return [...needed.values()];
}

function namesIn(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/"segment\.([^"]+)"/g)].map(([, code = '']) => code);
}
