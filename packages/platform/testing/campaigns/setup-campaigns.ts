import type { Campaign } from '@croupier/campaigns';
import type { Rule } from '@croupier/rules';
import {
  CampaignConsumer,
  CampaignLane,
  CampaignStarter,
  insertCampaign,
  insertProtectionNews,
  knownTo,
  publish,
  readCampaigns,
  saveDocument,
} from '../../src/campaigns/index.ts';
import { type SiteSignal, writeTemplate } from '../../src/channels/index.ts';
import type { FeedRest } from '../../src/chores/index.ts';
import { timestamptzText, transaction } from '../../src/database/index.ts';
import type { DeriveConsumer } from '../../src/derive/index.ts';
import { Gate } from '../../src/gate/index.ts';
import { TransitionFollower } from '../../src/operator/protection/index.ts';
import {
  PlatformRules,
  publish as publishSegment,
  SegmentComputer,
  SegmentConsumer,
  SegmentLane,
  saveContent,
} from '../../src/segments/membership/index.ts';
import { insertSegment, readSegments } from '../../src/segments/membership/versions/store.ts';
import { setupStage } from '../derive/stage.ts';
import { makeKnown } from '../gate/setup-gate.ts';
import { testLog } from '../log.ts';
import { insertPlayer } from '../operator/setup-sync.ts';

/** A ledger with derive, segments and campaigns. Nothing runs in the background: the test calls each step, and sets the clock. */
export async function setupCampaigns(options: { brand?: Record<string, unknown> } = {}) {
  const triggerAge = () => 30 * 60_000_000;
  const wake = () => {};
  const consumers: DeriveConsumer[] = [new SegmentConsumer({ wake, triggerAge })];
  const stage = await setupStage({ consumers, ...(options.brand && { brand: options.brand }) });
  const { pool, brand, brands, clock, leases } = stage;
  const rules = new PlatformRules({ pool });
  consumers.push(new CampaignConsumer({ wake, triggerAge, brands, rules }));
  const gate = new Gate({ clock: clock.now, brands });
  const poked: SiteSignal[] = [];
  const signals = { poke: (written: readonly SiteSignal[]) => void poked.push(...written) };
  const links = { link: () => 'https://crm.example/leave' };
  const deps = { pool, brands, rules, leases, clock: clock.now, log: testLog };
  const createLane = (feed?: FeedRest, ownGate = gate) =>
    new CampaignLane({ ...deps, gate: ownGate, links, signals, feed });
  const lane = createLane();
  const createStarter = (feed?: FeedRest) => new CampaignStarter({ ...deps, wake, portionPlayers: 50, feed });
  const starter = createStarter();
  const createSegmentLane = (onMoved: () => void = () => {}) => new SegmentLane({ ...deps, onMass: () => {}, onMoved });
  const segments = createSegmentLane();
  const computer = new SegmentComputer(deps);
  const follower = new TransitionFollower({ pool, log: testLog, follower: 'campaigns', handle: insertProtectionNews });
  const by = () => ({ at: clock.now(), actor: 'a test' });
  const { brand_id } = brand;

  async function runs(code: string) {
    const { rows } = await pool.query<{
      run_id: number;
      user_id: string;
      state: string;
      reason: string | null;
      due_at: number | null;
      records: { step: string; state: string; reason: string | null; variant: string | null }[];
    }>(
      `select r.run_id, p.user_id, r.state, r.reason, r.due_at,
              coalesce((select jsonb_agg(jsonb_build_object('step', s.step, 'state', s.state, 'reason', s.reason, 'variant', s.variant) order by s.story_id)
                          from campaign_run_step s where s.run_id = r.run_id), '[]') as records
         from campaign_run r join player p using (player_id) join campaign c using (campaign_id) where c.code = $1 order by r.run_id`,
      [code],
    );
    return rows;
  }
  return {
    ...stage,
    rules,
    gate,
    lane,
    createLane,
    createStarter,
    computer,
    starter,
    segments,
    createSegmentLane,
    follower,
    poked,
    runs,
    by,
    /** A fully known player who permits messages on the site. @returns player_id */
    async reader(userId: string): Promise<number> {
      const playerId = await insertPlayer(pool, brand_id, userId);
      const at = timestamptzText(clock.now());
      await makeKnown(pool, brand_id, [playerId], at);
      await pool.query(
        `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
         values ($1, 'sitenotification', 'SiteNotification', 'SiteNotification', true, 'look_up', $2)`,
        [playerId, at],
      );
      return playerId;
    },
    async siteTemplate(code: string, title: string, purpose: 'marketing' | 'service' = 'marketing'): Promise<void> {
      await transaction(pool, (tx) =>
        writeTemplate(
          tx,
          brand,
          { code, name: code, channel: 'site', purpose, content: { en: { title, message: title } } },
          { expected: undefined, by: 'a test', at: clock.now() },
        ),
      );
    },
    /** Creates and publishes a segment, and computes its first members. */
    async segment(code: string, rule: Rule): Promise<void> {
      rules.forget();
      await transaction(pool, async (tx) => {
        await insertSegment(tx, { brand_id, code, name: code }, by());
        const [segment] = await readSegments(tx, brand_id, { code });
        if (segment === undefined) throw new Error('the segment was not made');
        await saveContent(tx, { brand, rules, segment, content: { rule }, include_protected: false }, by());
        await publishSegment(tx, rules, segment, by());
      });
      await computer.runOnce();
    },
    /** Creates and publishes a campaign. */
    async campaign(document: Campaign): Promise<void> {
      rules.forget();
      await transaction(pool, async (tx) => {
        await insertCampaign(tx, { brand_id, code: document.code, name: document.name }, by());
        const [campaign] = await readCampaigns(tx, brand_id, { code: document.code, lock: true });
        if (campaign === undefined) throw new Error('the campaign was not made');
        await saveDocument(tx, campaign, document, by());
        await publish(tx, { rules, known: await knownTo(pool, brand), brand }, campaign, by());
      });
    },
    /** Publishes a changed document. */
    async republish(document: Campaign, how: { movesRuns?: boolean } = {}): Promise<void> {
      rules.forget();
      await transaction(pool, async (tx) => {
        const [campaign] = await readCampaigns(tx, brand_id, { code: document.code, lock: true });
        if (campaign === undefined) throw new Error(`there is no campaign ${document.code}`);
        await saveDocument(tx, campaign, document, by());
        await publish(tx, { rules, known: await knownTo(pool, brand), brand }, campaign, by(), how);
      });
    },
    /** Processes everything that is due at this time. */
    async follow(): Promise<void> {
      for (;;) {
        const { planned, portions } = await starter.runOnce();
        const { handled } = await follower.runOnce();
        const moved = await segments.runOnce();
        const { news, entered, moved: steps, more } = await lane.runOnce();
        if (planned + portions + handled + moved.news + moved.transitions + news + entered + steps === 0 && !more)
          return;
      }
    },
    async messages(): Promise<{ user_id: string; title: string; state: string }[]> {
      const { rows } = await pool.query<{ user_id: string; title: string; state: string }>(
        'select p.user_id, n.title, n.state from notification n join player p using (player_id) order by n.message_id',
      );
      return rows;
    },
  };
}
