import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SandboxOperator } from '@croupier/sandbox';
import type { Pool, PoolClient } from 'pg';
import { command } from '../../faults/installation/command-line.ts';
import { type Console, consoleOf } from '../../faults/installation/console.ts';
import { type Installation, startInstallation } from '../../faults/installation/installation.ts';
import { until } from '../../faults/installation/until.ts';
import { endpoints } from '../../packages/contracts/src/index.ts';
import { kindOfEvent, type TimelineEntry, usualBody } from '../../packages/platform/src/scenarios/index.ts';
import { usualConsents } from '../../packages/platform/src/scenarios/player.ts';
import { TimelineReader } from '../../packages/platform/src/scenarios/timeline-reader.ts';
import { call } from '../publish.ts';
import { type Case, contactRules, type Deed, night, type Soon, segments, templates } from './cases.ts';

/** A deed, with the time at which it was done. */
export interface Done {
  at: Date;
  deed: Deed;
}

/** The deeds and outcomes of a case that was played in the installation. */
export interface Played {
  /** A time at which the platform knew the player, before the first deed. */
  began: Date;
  done: Done[];
  came: TimelineEntry[];
}

const limitMs = 120_000;
const everyMs = 100;
const key = 'key-of-the-scenarios-0123456789abcdef';
/** Time in milliseconds that is reserved for publishing the last campaigns before the minute that they name. */
const leadMs = 20_000;
const minuteMs = 60_000;

/** Returns a time zone in which it is this hour of the day now. There is one for each hour. */
function zoneAt(hour: number, now: Date): string {
  const zone = Intl.supportedValuesOf('timeZone').find((one) => localTime(now, one).slice(11, 13) === twoDigits(hour));
  if (zone === undefined) throw new Error(`no time zone has the hour ${hour} now`);
  return zone;
}

const twoDigits = (count: number) => String(count).padStart(2, '0');

/** Returns a local time such as 2026-12-24T18:00. */
function localTime(at: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return format.format(at).replace(' ', 'T');
}

/**
 * Starts an installation with a brand. For the brand it is noon, but for its players in one country it is just after
 * midnight. The brand is not declared in the configuration file, because its rules of contact change.
 */
export async function startStage(of: { databaseUrl: string; pool: Pool; operator: SandboxOperator; folder: string }) {
  const { pool, operator, databaseUrl } = of;
  const now = new Date();
  const brand = {
    code: 'scenarios',
    base_currency: 'EUR',
    time_zone: zoneAt(12, now),
    country_time_zones: { [night]: zoneAt(0, now) },
  };
  const plain = await startInstallation({ databaseUrl });
  const file = path.join(of.folder, 'brand.yaml');
  const auth = { type: 'api_key', value: 'key-of-the-operator' };
  const whole = {
    ...brand,
    name: 'Scenarios',
    api_keys: [{ name: 'main', key }],
    operator: { base_url: operator.url, auth },
  };
  // JSON is valid YAML.
  await writeFile(file, JSON.stringify(whole));
  const saved = await command(plain, 'brand', 'save', file);
  if (saved.code !== 0) throw new Error(`the brand was not saved: ${saved.err}`);
  return new Stage({ pool, operator, brand, installation: { ...plain, brandCode: brand.code, key } });
}

/**
 * Plays cases in an installation. All its actions use the APIs, and it reads the timeline of a player as the scenario runner does.
 */
export class Stage implements AsyncDisposable {
  readonly console: Console;
  readonly brand: Record<string, unknown> & { time_zone: string };
  readonly #pool: Pool;
  readonly #operator: SandboxOperator;
  readonly #installation: Installation;
  readonly #zones: Record<string, string>;
  #brandId = 0;

  constructor(of: {
    pool: Pool;
    operator: SandboxOperator;
    installation: Installation;
    brand: { code: string; time_zone: string; country_time_zones: Record<string, string> };
  }) {
    this.#pool = of.pool;
    this.#operator = of.operator;
    this.#installation = of.installation;
    this.console = consoleOf(of.installation);
    this.brand = of.brand;
    this.#zones = of.brand.country_time_zones;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#installation.stop();
  }

  /** Creates segments, templates, players and the campaigns that name no time, and then those that name one. @returns the cases */
  async prepare(cases: (soon: Soon) => Case[]): Promise<Case[]> {
    await this.#findBrand();
    for (const template of templates) await this.console.post('templates', template);
    for (const segment of segments) await this.#addSegment(segment);
    const untimed = cases(this.#soon(new Date())).filter(({ isTimed }) => !isTimed);
    await this.#publishAll(untimed);
    const drafts = cases(this.#soon(new Date()));
    for (const one of drafts) await this.#addPlayer(one);
    await Promise.all(drafts.map((one) => this.#becomesKnown(one)));
    const soon = this.#soon(new Date(Math.ceil((Date.now() + leadMs) / minuteMs) * minuteMs));
    Object.assign(this.brand, contactRules(soon));
    await this.console.put('contact-rules', contactRules(soon));
    const all = cases(soon);
    await this.#publishAll(all.filter(({ isTimed }) => isTimed));
    return all;
  }

  #soon(at: Date): Soon {
    const local = localTime(at, this.brand.time_zone);
    return { local, brandTime: local.slice(11), nightTime: localTime(at, this.#zones[night] ?? '').slice(11) };
  }

  async #findBrand(): Promise<void> {
    const shown = () => this.console.get('campaigns');
    await until('the brand to be known', async () => (await shown()) !== undefined, { limitMs, everyMs });
    const { rows } = await this.#pool.query<{ brand_id: number }>('select brand_id from brand where code = $1', [
      this.brand.code,
    ]);
    this.#brandId = rows[0]?.brand_id ?? 0;
  }

  async #addSegment({ code, rule }: (typeof segments)[number]): Promise<void> {
    await this.console.post('segments', { code, name: code, rule });
    await this.console.post(`segments/${code}/publish`, {});
    const isLive = async () => (await this.console.get<{ state: string }>(`segments/${code}`))?.state === 'live';
    await until(`the segment ${code} to be live`, isLive, { limitMs, everyMs });
  }

  async #publishAll(cases: readonly Case[]): Promise<void> {
    for (const { code, document } of cases.flatMap(({ campaigns }) =>
      campaigns.map((document) => ({ code: document.code, document })),
    )) {
      await this.console.post('campaigns', document);
      await this.console.post(`campaigns/${code}/publish`, {});
    }
  }

  async #addPlayer({ code: user_id, player: { country, consents } }: Case): Promise<void> {
    const all = Object.entries({ ...usualConsents, ...consents }).map(([type, opted_in]) => ({ type, opted_in }));
    this.#operator.books.addPlayer(user_id, { details: { username: user_id, country }, consents: all, blocks: [] });
    await this.#publish('registration', user_id, {});
  }

  #becomesKnown({ code }: Case): Promise<unknown> {
    const isKnown = async () => {
      const player = await this.console.get<{ sync: { state: string } }>(`players/${code}`);
      return player?.sync.state === 'current';
    };
    return until(`${code} to be known`, isKnown, { limitMs, everyMs: 250 });
  }

  /** Plays a case to its last outcome. */
  async play(one: Case): Promise<Played & { look: () => Promise<void> }> {
    const { rows } = await this.#pool.query<{ player_id: number }>(
      'select player_id from player where brand_id = $1 and user_id = $2',
      [this.#brandId, one.code],
    );
    let at: PoolClient | undefined;
    const query = (...statement: unknown[]) =>
      (at as unknown as { query(...of: unknown[]): unknown }).query(...statement);
    const reader = new TimelineReader({ pool: { query } as unknown as Pool, playerId: rows[0]?.player_id ?? 0 });
    const own = new Set(one.campaigns.map(({ code }) => code));
    const played: Played = { began: new Date(), done: [], came: [] };
    // The timeline also contains the halts of other campaigns. These are left out.
    const look = async () => {
      // The reader reads runs and steps in several statements. Runs may move between these, so all of them read one
      // snapshot.
      const entries = await this.#atOneTime((client) => {
        at = client;
        return reader.next(Date.now() * 1_000, this.#brandId);
      });
      played.came.push(...entries.filter(({ outcome, campaign }) => outcome !== 'halted' || own.has(campaign)));
    };
    let seen = 0;
    const awaits = (words: string) =>
      until(
        `${one.name}: ${words}`,
        async () => {
          await look();
          return played.came.slice(seen).some((entry) => wordsOf(entry) === words);
        },
        { limitMs, everyMs },
      ).catch((error: Error) => {
        throw new Error(`${error.message}; so far: ${played.came.map(wordsOf).join(', ')}`);
      });
    for (const [after, deed] of one.deeds) {
      if (after !== null) await awaits(after);
      seen = played.came.length;
      played.done.push(await this.#do(one, deed, played.done.length + 1));
    }
    await awaits(one.ends);
    return { ...played, look };
  }

  async #atOneTime<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    try {
      await client.query('begin isolation level repeatable read read only');
      return await work(client);
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  async #do({ code: user_id }: Case, deed: Deed, number: number): Promise<Done> {
    const at = new Date();
    if ('event' in deed) {
      const body = { ...usualBody(kindOfEvent(deed.event), { base_currency: 'EUR', number }), ...deed.body };
      const timestamp = at.toISOString();
      await this.#publish(deed.event, user_id, { ...body, timestamp });
      return { at, deed: { event: deed.event, body: { ...body, timestamp } } };
    }
    if ('player' in deed) await this.#change(user_id, deed.player);
    else if ('enter' in deed) {
      const { campaign, ...entered } = deed.enter;
      await this.console.post(`campaigns/${campaign}/enter`, { user_id, ...entered });
    } else if ('publish' in deed) {
      const { campaign, move_runs = false } = deed.publish;
      await this.console.put(`campaigns/${campaign.code}`, campaign);
      await this.console.post(`campaigns/${campaign.code}/publish`, { move_runs });
    } else if ('ramp' in deed)
      await this.console.post(`campaigns/${deed.ramp.campaign}/ramp`, { share: deed.ramp.share });
    else {
      const [[action, code] = []] = Object.entries(deed);
      await this.console.post(`campaigns/${code}/${action}`, {});
    }
    return { at, deed };
  }

  /** Changes a player at the operator, publishes the change, and waits until the platform knows the consents. */
  async #change(
    user_id: string,
    { excluded, consents = {} }: { excluded?: boolean; consents?: Record<string, boolean> },
  ) {
    if (excluded) {
      this.#operator.books.change(user_id, { blocks: [{ type: 'Excluded', active: true, note: '' }] });
      await this.#publish('blocks_update', user_id, {});
      return;
    }
    const changed = Object.entries(consents).map(([type, opted_in]) => ({ type, opted_in }));
    this.#operator.books.change(user_id, { consents: changed });
    await this.#publish('consents_update', user_id, {});
    const isKnown = async () => {
      const { rows } = await this.#pool.query<{ type: string; opted_in: boolean }>(
        `select c.type, c.opted_in from player_consent c join player p using (player_id) where p.brand_id = $1 and p.user_id = $2`,
        [this.#brandId, user_id],
      );
      return changed.every(({ type, opted_in }) => rows.some((row) => row.type === type && row.opted_in === opted_in));
    };
    await until(`the consents of ${user_id} to be known`, isKnown, { limitMs, everyMs });
  }

  async #publish(event: string, user_id: string, body: Record<string, unknown>): Promise<void> {
    const kind = kindOfEvent(event);
    const endpoint = endpoints.find((one) => one.kind === kind);
    if (endpoint === undefined) throw new Error(`no endpoint for ${event}`);
    const headers = { 'content-type': 'application/json', 'x-api-key': this.#installation.key };
    const told = { timestamp: new Date().toISOString(), ...body, user_id };
    const { method, path: place } = endpoint;
    const answer = await call(this.#installation, { method, path: place, headers, body: JSON.stringify(told) });
    if (answer.status !== 200) throw new Error(`${event} of ${user_id} was answered ${JSON.stringify(answer)}`);
  }
}

/** Returns the outcome as text, such as `w waiting`, or `done` for the whole run. */
export function wordsOf({ step, outcome }: TimelineEntry): string {
  return step === null ? outcome : `${step} ${outcome}`;
}
