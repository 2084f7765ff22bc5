import type { Rule } from '@croupier/rules';
import type { Pool } from 'pg';
import type { BrandRegistry } from '../../../brands/index.ts';
import type { RuleReading } from '../rule-reading.ts';
import { type ActiveVersion, needsOf } from './active-version.ts';

/**
 * The active versions in memory. A version never changes, so it is read once. Which versions are active, and in which
 * phase, is read from `segment_active` in the transaction that evaluates.
 */
export class ActiveVersions {
  readonly #deps: { pool: Pool; brands: Pick<BrandRegistry, 'byId'>; rules: RuleReading };
  readonly #byId = new Map<number, ActiveVersion>();

  constructor(deps: { pool: Pool; brands: Pick<BrandRegistry, 'byId'>; rules: RuleReading }) {
    this.#deps = deps;
  }

  /** Reads the versions that are not cached yet, and drops all others. */
  async load(ids: readonly number[]): Promise<ActiveVersion[]> {
    const unknown = ids.filter((id) => !this.#byId.has(id));
    if (unknown.length > 0)
      for (const version of await this.#read(unknown)) this.#byId.set(version.version_id, version);
    if (this.#byId.size > ids.length) for (const id of this.#byId.keys()) if (!ids.includes(id)) this.#byId.delete(id);
    return ids.flatMap((id) => this.#byId.get(id) ?? []);
  }

  async #read(ids: readonly number[]): Promise<ActiveVersion[]> {
    const { pool, rules } = this.#deps;
    const { rows } = await pool.query<Omit<ActiveVersion, 'needs' | 'kinds' | 'readsRecords'>>(
      `select v.version_id, v.segment_id, s.brand_id, s.code, v.version, v.rule, v.include_protected
         from segment_version v join segment s using (segment_id) where v.version_id = any($1::int[])`,
      [ids],
    );
    return rows.map((row) => {
      const needs = needsOf(row.rule as Rule | null);
      return {
        ...row,
        needs,
        kinds: new Set<string>(rules.kindsOf(needs)),
        readsRecords: rules.readsRecords(needs),
      };
    });
  }
}
