import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Service } from '../service.ts';
import type { Vault } from './credentials.ts';
import { readActiveKeys } from './key-store.ts';
import { keyHash } from './keys.ts';
import { fromRow, withoutCredentials } from './sealing.ts';
import type { Brand } from './settings.ts';
import { type BrandRow, readBrands, readVersion } from './store.ts';

/** Maximum age of the brands and keys in a process's memory. A revoked key is still accepted for this long. */
const refreshMs = 1_000;

/**
 * Keeps the brands and their keys in memory, because every event looks up a key, and that must not cost a query.
 *
 * It checks a version in the database every second. While the database is unavailable it continues with what it has; no
 * event can be accepted then anyway.
 */
export class BrandRegistry implements Service {
  readonly #pool: Pool;
  readonly #vault: Vault;
  readonly #log: Logger;
  #version = '';
  #byId = new Map<number, Brand>();
  #byCode = new Map<string, Brand>();
  #byKeyHash = new Map<string, Brand>();
  /** Has at most as many entries as there are keys. */
  #byRightKey = new Map<string, Brand>();
  #timer: NodeJS.Timeout | undefined;
  #refreshing: Promise<boolean> | undefined;
  #away = false;

  constructor(deps: { pool: Pool; vault: Vault; log: Logger }) {
    this.#pool = deps.pool;
    this.#vault = deps.vault;
    this.#log = deps.log;
  }

  async start(): Promise<void> {
    await this.refresh();
    const tick = async () => {
      await this.refresh().then(
        () => this.#seen(false),
        (error) => this.#seen(true, error),
      );
      if (this.#timer !== undefined) this.#timer = setTimeout(tick, refreshMs);
    };
    this.#timer = setTimeout(tick, refreshMs);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#refreshing?.catch(() => {});
  }

  byCode(code: string): Brand | undefined {
    return this.#byCode.get(code);
  }

  byId(brandId: number): Brand | undefined {
    return this.#byId.get(brandId);
  }

  /**
   * The brand of a raw key; undefined if the key is unknown or revoked. It compares a hash, so its duration does not
   * reveal how much of a key was right.
   *
   * Valid keys are cached until something changes, because an operator sends the same key with every event. Hashing it took
   * 1 of the 20 microseconds that an event costs in addition to node:http.
   */
  byKey(rawKey: string): Brand | undefined {
    const known = this.#byRightKey.get(rawKey);
    if (known !== undefined) return known;
    const brand = this.#byKeyHash.get(keyHash(rawKey).toString('latin1'));
    if (brand !== undefined) this.#byRightKey.set(rawKey, brand);
    return brand;
  }

  /** See `Vault.erasureKey`. */
  erasureKey(brandId: number, playerHash: bigint): string {
    return this.#vault.erasureKey(brandId, playerHash);
  }

  all(): readonly Brand[] {
    return [...this.#byId.values()];
  }

  /** Reads changes now. Returns true if there were any. Call it after changing a brand or a key. */
  async refresh(): Promise<boolean> {
    // One at a time, because an older answer could otherwise overwrite a newer one.
    const before = this.#refreshing;
    const next = (async () => {
      await before?.catch(() => {});
      return this.#read();
    })();
    this.#refreshing = next;
    return next;
  }

  async #read(): Promise<boolean> {
    const version = await readVersion(this.#pool);
    if (version === this.#version) return false;
    const brands = (await readBrands(this.#pool)).map((row) => this.#open(row));
    const keys = await readActiveKeys(this.#pool);
    this.#byId = new Map(brands.map((brand) => [brand.brand_id, brand]));
    this.#byCode = new Map(brands.map((brand) => [brand.code, brand]));
    this.#byKeyHash = new Map();
    this.#byRightKey = new Map();
    for (const { brand_id, sha256 } of keys) {
      const brand = this.#byId.get(brand_id);
      if (brand) this.#byKeyHash.set(sha256.toString('latin1'), brand);
    }
    // The version is set last. If a statement above fails, or something changed in between, the next refresh reads again.
    this.#version = version;
    return true;
  }

  #open(row: BrandRow): Brand {
    try {
      return fromRow(this.#vault, row);
    } catch (error) {
      this.#log.error(
        { err: error, brand: row.code },
        'a brand runs without its operator: its credentials cannot be used',
      );
      return withoutCredentials(row);
    }
  }

  #seen(away: boolean, error?: unknown): void {
    if (away && !this.#away)
      this.#log.warn({ err: error }, 'brands and keys cannot be refreshed; using the known ones');
    if (!away && this.#away) this.#log.info('brands and keys are refreshed again');
    this.#away = away;
  }
}
