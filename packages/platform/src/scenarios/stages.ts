import type { Campaign } from '@croupier/campaigns';
import { type EventKind, type Micros, parseBody, readEvent } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { type Brand, BrandRegistry, readDeclaration, type Vault, writeBrand } from '../brands/index.ts';
import {
  CampaignConsumer,
  CampaignLane,
  CampaignStarter,
  CampaignWatch,
  insertCampaign,
  insertProtectionNews,
  knownTo,
  publish,
  readCampaigns,
  readVersions,
  saveDocument,
} from '../campaigns/index.ts';
import { type WrittenTemplate, writeTemplate } from '../channels/index.ts';
import { transaction } from '../database/index.ts';
import { DeriveWorker } from '../derive/index.ts';
import { Gate } from '../gate/index.ts';
import { playerHash } from '../ledger/index.ts';
import { TransitionFollower } from '../operator/protection/index.ts';
import {
  insertSegment,
  PlatformRules,
  publish as publishSegment,
  readSegments,
  SegmentComputer,
  SegmentConsumer,
  SegmentLane,
  saveContent,
} from '../segments/membership/index.ts';
import { MemoryLeases } from './memory-leases.ts';
import { MemoryLedger } from './memory-ledger.ts';
import type { PastEvent, Scenario } from './scenario.ts';
import { ScenarioError } from './scenario-error.ts';

export interface StageDeps {
  /** The pool of the transaction that is rolled back. */
  pool: Pool;
  vault: Vault;
  log: Logger;
  clock: () => Micros;
}

/** The platform's stages from the ledger to the channels, each moved by hand, with a separate brand. */
export type Stages = Awaited<ReturnType<typeof createStages>>;

const actor = 'a scenario';

export async function createStages({ pool, vault, log, clock }: StageDeps, settings: Record<string, unknown> = {}) {
  const brand = await makeBrand({ pool, vault, log }, settings);
  const brands = new BrandRegistry({ pool, vault, log });
  await brands.refresh();
  const { brand_id } = brand;
  const ledger = new MemoryLedger();
  const leases = new MemoryLeases(ledger);
  const rules = new PlatformRules({ pool });
  const gate = new Gate({ clock, brands });
  const wake = () => {};
  const triggerAge = () => brand.settings.trigger_age_minutes * 60_000_000;
  const starts = new CampaignConsumer({ wake, triggerAge, brands, rules });
  const consumers = [new SegmentConsumer({ wake, triggerAge }), starts];
  const deps = { pool, brands, rules, leases, clock, log };
  const derive = new DeriveWorker({ ...deps, ledger, consumers, lanes: 1 });
  const segments = new SegmentLane({ ...deps, onMass: () => {} });
  const computer = new SegmentComputer(deps);
  const starter = new CampaignStarter({ ...deps, wake });
  const links = { link: () => 'https://crm.example/unsubscribe' };
  const lane = new CampaignLane({ ...deps, gate, links, signals: { poke: wake } });
  const follower = new TransitionFollower({ pool, log, follower: 'campaigns', handle: insertProtectionNews });
  const watch = new CampaignWatch(deps);
  const by = () => ({ at: clock(), actor });

  async function find(code: string, tx: Parameters<typeof readCampaigns>[0] = pool) {
    const [campaign] = await readCampaigns(tx, brand_id, { code, lock: true });
    if (campaign === undefined) throw new ScenarioError(`the campaign ${code} does not exist`);
    return campaign;
  }

  function tell(userId: string, events: readonly PastEvent[]): void {
    const player_hash = playerHash(brand_id, userId);
    ledger.append(events.map(({ kind, body, received_at }) => ({ brand_id, kind, body, received_at, player_hash })));
  }

  return {
    brand,
    rules,
    find,
    by,
    async addTemplate(template: WrittenTemplate): Promise<void> {
      const how = { expected: undefined, by: actor, at: clock() };
      await transaction(pool, (tx) => writeTemplate(tx, brand, template, how));
    },
    async addSegment({
      code,
      name = code,
      rule,
      include_protected = false,
    }: NonNullable<Scenario['segments']>[number]) {
      rules.forget();
      await transaction(pool, async (tx) => {
        await insertSegment(tx, { brand_id, code, name }, by());
        const [segment] = await readSegments(tx, brand_id, { code });
        if (segment === undefined) throw new ScenarioError(`the segment ${code} was not created`);
        await saveContent(tx, { brand, rules, segment, content: { rule }, include_protected }, by());
        await publishSegment(tx, rules, segment, by());
      });
      await computer.runOnce();
    },
    async publish(document: Campaign, { movesRuns }: { movesRuns: boolean }): Promise<void> {
      rules.forget();
      const known = await knownTo(pool, brand);
      await transaction(pool, async (tx) => {
        await insertCampaign(tx, { brand_id, code: document.code, name: document.name }, by());
        const campaign = await find(document.code, tx);
        await saveDocument(tx, campaign, document, by());
        await publish(tx, { rules, known, brand }, campaign, by(), { movesRuns });
        const versions = await readVersions(tx, [campaign.campaign_id]);
        if (versions.some(({ state }) => state === 'draft'))
          throw new ScenarioError(
            `the campaign ${document.code} waits for approval, because it exceeds campaign_approval of the brand; omit this setting in the scenario`,
          );
      });
    },
    /** Events as stored in the ledger, in its order. */
    tell,
    /** Derives what happened before any campaign existed. */
    async derivePast(userId: string, past: readonly PastEvent[]): Promise<void> {
      tell(userId, past);
      while ((await derive.runOnce()).moved > 0);
    },
    /** @throws {ScenarioError} if the platform would not accept the event */
    append(kind: EventKind, userId: string, body: Record<string, unknown>): void {
      const text = JSON.stringify(body);
      const parsing = parseBody(text);
      if (!parsing.ok) throw new ScenarioError(parsing.error.message);
      const { zoneless_timestamps, base_currency, reference_prefix } = brand.settings;
      const context = { now: clock(), zoneless_timestamps, base_currency, reference_prefix };
      const reading = readEvent(kind, parsing.body, context);
      if (!reading.ok) throw new ScenarioError(reading.errors.map(({ message }) => message).join(' '));
      const player_hash = playerHash(brand_id, userId);
      ledger.append([{ brand_id, kind, player_hash, received_at: clock(), body: Buffer.from(text) }]);
    },
    /** Processes everything that is due at this time. */
    async follow(): Promise<void> {
      while ((await derive.runOnce()).moved > 0);
      for (let round = 0; round < mostRounds; round++) {
        const { planned, portions } = await starter.runOnce();
        const followed = await follower.runOnce();
        const moved = await segments.runOnce();
        const { news, entered, moved: steps, more } = await lane.runOnce();
        const { halted } = await watch.runOnce();
        const count = planned + portions + followed.handled + moved.news + moved.transitions + news + entered + steps;
        if (count + halted === 0 && !more) return;
      }
      throw new ScenarioError(`the campaigns did not settle within ${mostRounds} rounds`);
    },
  };
}

const mostRounds = 200;

async function makeBrand(
  { pool, vault, log }: Omit<StageDeps, 'clock'>,
  settings: Record<string, unknown>,
): Promise<Brand> {
  const code = `scenario-${Math.floor(Math.random() * 1e9)}`;
  const reading = readDeclaration({ code, name: 'Scenario', ...settings }, 'brand');
  if (!reading.ok) throw new ScenarioError(reading.errors.map(({ path, message }) => `${path} ${message}`).join('; '));
  const brandId = await writeBrand(pool, vault, reading.declaration);
  const brands = new BrandRegistry({ pool, vault, log });
  await brands.refresh();
  return brands.byId(brandId) as Brand;
}
