import { nextMoment } from '@croupier/campaigns';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import { readCampaigns } from '../../campaigns/index.ts';
import { transaction } from '../../database/index.ts';
import {
  type Backtest,
  countOpenBacktests,
  endBacktest,
  insertBacktest,
  listBacktestEntries,
  progressOf,
  readBacktestDays,
  readBacktests,
  shareTried,
} from '../../scenarios/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { momentText, momentTextOrNull } from '../routing/fields.ts';
import { notFound } from '../routing/not-found.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import * as endpoints from './backtest-endpoints.ts';
import { pricesOf } from './bonus-prices.ts';
import { versionToTry } from './dry-run-routes.ts';

const codec = new CursorCodec('rows of a backtest', Type.Object({ player_id: Type.Integer(), number: Type.Integer() }));
const mostOpen = 3;
const dayMicros = 86_400_000_000;

export function backtestRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;

  serve(app, endpoints.startBacktestEndpoint, async ({ access, brand, params: { code }, body }) => {
    const { days, players, version: wanted } = body;
    const { campaign, version } = await versionToTry(pool, brand, code, wanted);
    const { campaign_id, brand_id } = campaign;
    if ('api' in version.document.entry)
      throw new Refused('conflict', {
        en: 'players enter the campaign by calls, which are not in the ledger',
        de: 'Spieler treten durch Aufrufe in die Kampagne ein, und diese stehen nicht im Ereignisbuch',
      });
    const at = clock();
    const from_at = nextMoment('00:00', at - (days + 1) * dayMicros, brand.settings.time_zone);
    const backtest_id = await transaction(pool, async (tx) => {
      if ((await countOpenBacktests(tx, brand_id)) >= mostOpen)
        throw new Refused('conflict', {
          en: `the brand has ${mostOpen} backtests that are not done: wait, or cancel one`,
          de: `Die Marke hat ${mostOpen} Backtests, die noch nicht fertig sind: Warten Sie, oder brechen Sie einen ab`,
        });
      const asked = { campaign_id, brand_id, from_at, until_at: at, most_players: players };
      const { version: number, document } = version;
      const id = await insertBacktest(tx, { ...asked, version: number, document }, { at, actor: access.actor });
      await record(deps, access, { action: 'campaign.backtested', brand, subject: `campaign ${code}` }, tx);
      return id;
    });
    return whole(brand, await known(brand, code, backtest_id));
  });

  serve(app, endpoints.listBacktestsEndpoint, async ({ brand, params: { code } }) => {
    const backtests = await readBacktests(pool, { campaign_id: await idOf(brand, code) });
    const items = await Promise.all(
      backtests.map(async (one) => {
        const { days: _days, steps: _steps, ...listed } = await whole(brand, one);
        return listed;
      }),
    );
    return { items, next: null };
  });

  serve(app, endpoints.readBacktestEndpoint, async ({ brand, params: { code, backtest_id } }) =>
    whole(brand, await known(brand, code, backtest_id)),
  );

  serve(app, endpoints.cancelBacktestEndpoint, async ({ access, brand, params: { code, backtest_id } }) => {
    await known(brand, code, backtest_id);
    await transaction(pool, async (tx) => {
      if (!(await endBacktest(tx, backtest_id, 'cancelled', { at: clock() })))
        throw new Refused('conflict', { en: 'the backtest has ended', de: 'Der Backtest ist beendet' });
      await record(deps, access, { action: 'campaign.backtest_cancelled', brand, subject: `campaign ${code}` }, tx);
    });
    return whole(brand, await known(brand, code, backtest_id));
  });

  serve(app, endpoints.listBacktestEntriesEndpoint, async ({ brand, params: { code, backtest_id }, query }) => {
    const { limit, cursor, ...filter } = query;
    const after = codec.decode(cursor) ?? { player_id: 0, number: -1 };
    const rows = await listBacktestEntries(
      pool,
      await known(brand, code, backtest_id),
      { ...filter, zone: brand.settings.time_zone },
      { after, limit: limit + 1 },
    );
    const { items, next } = pageFrom(rows, limit, ({ player_id, number }) => codec.encode({ player_id, number }));
    const shown = items.map(({ player_id: _player, number: _number, at, ...row }) => ({ ...row, at: momentText(at) }));
    return { items: shown, next };
  });

  async function idOf(brand: Brand, code: string): Promise<number> {
    const [campaign] = await readCampaigns(pool, brand.brand_id, { code });
    if (campaign === undefined) throw notFound('campaign', code);
    return campaign.campaign_id;
  }

  async function known(brand: Brand, code: string, backtest_id: number): Promise<Backtest> {
    const [backtest] = await readBacktests(pool, { campaign_id: await idOf(brand, code), backtest_id });
    if (backtest === undefined)
      throw new Refused('not_found', {
        en: `campaign ${code} has no backtest ${backtest_id}`,
        de: `Die Kampagne ${code} hat keinen Backtest ${backtest_id}`,
      });
    return backtest;
  }

  async function whole(brand: Brand, backtest: Backtest) {
    const { days, total, steps } = await readBacktestDays(
      pool,
      backtest,
      brand.settings.time_zone,
      await pricesOf(pool, brand, backtest.document.code),
    );
    const { backtest_id, state, reason, version, tried, skipped, created_at, created_by, finished_at } = backtest;
    const share = shareTried(backtest);
    return {
      backtest_id,
      state,
      reason,
      version,
      from: momentText(backtest.from_at),
      until: momentText(backtest.until_at),
      progress: progressOf(backtest),
      share,
      candidates: share === 0 ? null : Math.round((tried + skipped) / share),
      tried,
      skipped,
      created_at: momentText(created_at),
      created_by,
      finished_at: momentTextOrNull(finished_at),
      totals: total.counts,
      withheld: total.withheld,
      credited_sums: total.credited_sums,
      cost: total.cost,
      unknown_cost: total.unknown_cost,
      days,
      steps,
    };
  }
}
