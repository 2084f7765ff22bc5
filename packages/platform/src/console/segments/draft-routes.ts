import { Readable } from 'node:stream';
import { checkRule } from '@croupier/rules';
import type { FastifyInstance } from 'fastify';
import type { Brand } from '../../brands/index.ts';
import { listSegments, readCatalog } from '../../segments/membership/index.ts';
import { type Change, type DraftComparison, eachChange, RulePreviews } from '../../segments/preview/index.ts';
import type { Access } from '../access/access.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { notFound } from '../routing/not-found.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { asRefusal, userIdsOf } from '../rules/usable-rule.ts';
import { csvField } from './csv-field.ts';
import * as endpoints from './draft-endpoints.ts';
import { segmentRevision } from './present.ts';

/** What a draft would change if it were published. */
export function segmentDraftRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;
  const previews = new RulePreviews({ pool });

  serve(app, endpoints.readDifferenceEndpoint, async ({ brand, params }) => {
    const { comparison, version, revision, in_force } = await comparisonOf(brand, params.code);
    const { counts, samples, exact, errors, took_ms } = await previews.compare(comparison).catch(asRefusal);
    const [enters, leaves, stays] = await Promise.all(
      [samples.enters, samples.leaves, samples.stays].map((players) => userIdsOf(pool, players)),
    );
    return {
      version,
      revision,
      in_force,
      ...counts,
      exact,
      errors,
      took_ms,
      samples: { enters: enters ?? [], leaves: leaves ?? [], stays: stays ?? [] },
    };
  });

  serve(app, endpoints.exportDifferenceCsvEndpoint, ({ access, brand, params: { code } }) =>
    exported(access, brand, code, 'user_id,change\r\n', ({ user_id, change }) => `${csvField(user_id)},${change}\r\n`),
  );
  serve(app, endpoints.exportDifferenceLinesEndpoint, ({ access, brand, params: { code } }) =>
    exported(access, brand, code, '', (change) => `${JSON.stringify(change)}\n`),
  );

  async function comparisonOf(brand: Brand, code: string) {
    const [listed] = await listSegments(pool, brand.brand_id, code);
    if (listed === undefined) throw notFound('segment', code);
    const { segment, shown, latest } = listed;
    const draft = listed.draft ?? listed.computing;
    if (draft === undefined)
      throw new Refused('conflict', {
        en: 'there is no draft; change the rule first',
        de: 'Es gibt keinen Entwurf; ändern Sie zuerst die Regel',
      });
    const catalog = await readCatalog(pool, brand);
    const errors = draft.rule === null ? [] : checkRule(draft.rule, catalog);
    if (errors.length > 0)
      throw new Refused(
        'conflict',
        { en: 'the rule of the draft is no longer valid', de: 'Die Regel des Entwurfs ist nicht mehr gültig' },
        {
          errors: errors.map(({ path, message }) => ({ path: `rule${path}`, rule: 'rule', message })),
        },
      );
    const inForce = shown.state === 'in_force' || shown.state === 'failed' ? shown : null;
    const comparison: DraftComparison = { catalog, draft, inForce, at: clock() };
    const revision = segmentRevision(segment.name, latest);
    return { comparison, version: draft.version, revision, in_force: inForce?.version ?? null };
  }

  /** The audit row is written before the first line is sent. */
  async function exported(
    access: Access,
    brand: Brand,
    code: string,
    head: string,
    line: (change: Change) => string,
  ): Promise<Readable> {
    const { comparison } = await comparisonOf(brand, code);
    const details = { difference: true };
    await record(deps, access, { action: 'segment.exported', brand, subject: `segment ${code}`, details });
    async function* lines() {
      yield head;
      for await (const changes of eachChange(pool, comparison)) yield changes.map(line).join('');
    }
    return Readable.from(lines(), { highWaterMark: 1 });
  }
}
