import { type Campaign, checkCampaign } from '@croupier/campaigns';
import { type Micros, readTimestampText } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import type { Brand } from '../../brands/index.ts';
import { knownTo } from '../../campaigns/index.ts';
import type { Words } from '../../language.ts';
import {
  brandSetup,
  type CopiedPlayer,
  copyPlayer,
  type Scenario,
  ScenarioError,
  type ScenarioStep,
  segmentSetup,
  type TriedSegment,
} from '../../scenarios/index.ts';
import { readCatalog } from '../../segments/membership/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { knownPlayer } from '../players/known-player.ts';
import { momentText } from '../routing/fields.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { presentTrace } from '../rules/present-trace.ts';
import { scenarioEndpoint } from './scenario-endpoint.ts';
import { presentEntry } from './timeline.ts';

export function scenarioRoutes(app: FastifyInstance, { pool, clock, ledger, scenarios }: ConsoleDeps): void {
  serve(app, scenarioEndpoint, async ({ access, brand, body }) => {
    const { campaign, segment, player = {}, events = [], enter, until } = body;
    if ((campaign === undefined) === (segment === undefined))
      throw new Refused('invalid_request', {
        en: 'send a campaign or a segment',
        de: 'Senden Sie eine Kampagne oder ein Segment',
      });
    const { copy_of, ...made } = player;
    const { past, ...copied } = copy_of === undefined ? {} : await copy(brand, copy_of);
    const sorted = events.toSorted((a, b) => micros(a.at) - micros(b.at));
    const at = sorted[0]?.at ?? momentText(clock());
    const steps: ScenarioStep[] = enter === undefined ? [] : [{ enter: { key: 'scenario', ...enter } }];
    for (const event of sorted) steps.push({ until: event.at }, { event: event.kind, body: event.body ?? {} });
    if (until !== undefined) steps.push({ until });
    const scenario: Scenario = {
      name: 'scenario',
      at,
      ...(await run(() => setupOf(brand, { campaign, segment }))),
      player: { ...copied, ...made },
      ...(past !== undefined && { past }),
      steps,
    };
    const unmasked = copy_of === undefined || access.may('personal.read', brand);
    const { lines, failures, errors = [] } = await run(() => scenarios.run(scenario));
    if (failures.length > 0) {
      const wrong = errors.map((one) => ({ ...one, rule: 'scenario' }));
      throw new Refused('invalid_request', failed(failures.join('; ')), { errors: wrong });
    }
    const catalog = await readCatalog(pool, brand);
    const timeline = lines.flatMap((line) => {
      if (line.kind !== 'came') return [];
      const { trace } = line.entry;
      const shown = trace?.map((row) => presentTrace(row, catalog, unmasked));
      return [{ ...presentEntry(line.entry, unmasked), ...(shown !== undefined && { trace: shown }) }];
    });
    return { timeline };
  });

  async function setupOf(
    brand: Brand,
    { campaign, segment }: { campaign?: Campaign | undefined; segment?: TriedSegment | undefined },
  ) {
    if (segment !== undefined) return segmentSetup(pool, brand, segment);
    await refuseWrong(brand, campaign);
    return brandSetup(pool, brand, campaign as Campaign);
  }

  async function refuseWrong(brand: Brand, campaign: unknown): Promise<void> {
    const errors = checkCampaign(campaign, await knownTo(pool, brand));
    if (errors.length === 0) return;
    const detail = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
    throw new Refused('invalid_request', failed(detail), {
      errors: errors.map((one) => ({ ...one, rule: 'campaign' })),
    });
  }

  async function copy(brand: Brand, userId: string): Promise<Partial<CopiedPlayer>> {
    const { player_id } = await knownPlayer(pool, brand, userId);
    return run(() => copyPlayer({ pool, ledger }, brand, { player_id, user_id: userId }));
  }
}

async function run<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ScenarioError) throw new Refused('conflict', failed(error.message));
    throw error;
  }
}

/** Messages about scenarios are in English, like the files in which developers write scenarios. */
function failed(message: string): Words {
  return { en: message, de: `Das Szenario kann nicht gespielt werden („${message}“)` };
}

function micros(text: string): Micros {
  const written = readTimestampText(text);
  if (!written?.zoned)
    throw new Refused('invalid_request', {
      en: `${text} is not a date-time with an offset`,
      de: `${text} ist kein Zeitpunkt mit UTC-Abweichung`,
    });
  return written.micros;
}
