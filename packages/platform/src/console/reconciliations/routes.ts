import { reconciliationFields } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import { transaction } from '../../database/index.ts';
import {
  cancelReconciliation,
  decideHeldReconciliation,
  type ReconciliationRun,
  readDrift,
  readReconciliation,
  readReconciliations,
  requestReconciliations as request,
} from '../../operator/reconciliation/index.ts';
import type { Access } from '../access/access.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { momentText, momentTextOrNull } from '../routing/fields.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import {
  approveReconciliation,
  cancelReconciliationEndpoint,
  listDrift,
  listReconciliations,
  rejectReconciliation,
  requestReconciliations,
  showReconciliation,
} from './endpoints.ts';

const byNumber = new CursorCodec('reconciliations', Type.Integer());
const byPlayer = new CursorCodec('reconciliation-drift', Type.Integer());

export function reconciliationRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;

  const knownRun = async (brand: Brand, id: number) => {
    const run = await readReconciliation(pool, brand.brand_id, id);
    if (run === undefined) throw new Refused('not_found', `the brand has no reconciliation ${id}`);
    return run;
  };

  serve(app, requestReconciliations, async ({ access, brand, body }) => {
    if (brand.operator === null) throw new Refused('conflict', 'the brand has no operator to compare with');
    const fields = body?.fields ?? reconciliationFields;
    return transaction(pool, async (tx) => {
      const items = await request(tx, { brand_id: brand.brand_id, fields, cause: 'person', now: clock() });
      const subject = `reconciliation ${items.map(({ reconciliation_id }) => reconciliation_id).join(', ')}`;
      const details = { fields: [...fields] };
      await record(deps, access, { action: 'reconciliation.requested', brand, subject, details }, tx);
      return { items };
    });
  });

  serve(app, listReconciliations, async ({ brand, query }) => {
    const before = query.cursor === undefined ? undefined : byNumber.decode(query.cursor);
    const { field, state } = query;
    const runs = await readReconciliations(pool, {
      brand_id: brand.brand_id,
      field,
      state,
      before,
      limit: query.limit + 1,
    });
    const { items, next } = pageFrom(runs, query.limit, (last) => byNumber.encode(last.reconciliation_id));
    return { items: items.map(present), next };
  });

  serve(app, showReconciliation, async ({ brand, params }) => present(await knownRun(brand, params.reconciliation_id)));

  serve(app, cancelReconciliationEndpoint, async ({ access, brand, params }) => {
    const { reconciliation_id, state } = await knownRun(brand, params.reconciliation_id);
    await transaction(pool, async (tx) => {
      if (!(await cancelReconciliation(tx, brand.brand_id, reconciliation_id, clock())))
        throw new Refused('conflict', `reconciliation ${reconciliation_id} is ${state}: there is nothing to cancel`);
      const subject = `reconciliation ${reconciliation_id}`;
      await record(deps, access, { action: 'reconciliation.cancelled', brand, subject }, tx);
    });
    return present(await knownRun(brand, reconciliation_id));
  });

  const decide = async (access: Access, brand: Brand, id: number, verdict: 'approve' | 'reject') => {
    const { reconciliation_id, state, field } = await knownRun(brand, id);
    await transaction(pool, async (tx) => {
      const outcome = await decideHeldReconciliation(tx, brand.brand_id, reconciliation_id, verdict, clock());
      if (outcome === 'not_held')
        throw new Refused(
          'conflict',
          `reconciliation ${reconciliation_id} is ${state}, not held: nothing is to be decided`,
        );
      if (outcome === 'busy')
        throw new Refused(
          'conflict',
          'another reconciliation of this operator is under way: try again when it is over',
        );
      const action = verdict === 'approve' ? 'reconciliation.approved' : 'reconciliation.rejected';
      const subject = `reconciliation ${reconciliation_id}`;
      await record(deps, access, { action, brand, subject, details: { field } }, tx);
    });
    return present(await knownRun(brand, reconciliation_id));
  };
  serve(app, approveReconciliation, async ({ access, brand, params }) =>
    decide(access, brand, params.reconciliation_id, 'approve'),
  );
  serve(app, rejectReconciliation, async ({ access, brand, params }) =>
    decide(access, brand, params.reconciliation_id, 'reject'),
  );

  serve(app, listDrift, async ({ brand, params, query }) => {
    const { reconciliation_id } = await knownRun(brand, params.reconciliation_id);
    const after = query.cursor === undefined ? undefined : byPlayer.decode(query.cursor);
    const rows = await readDrift(pool, reconciliation_id, { done: query.done, after, limit: query.limit + 1 });
    const { items, next } = pageFrom(rows, query.limit, (last) => byPlayer.encode(last.player_id));
    return { items: items.map((one) => ({ ...one, since: momentTextOrNull(one.since) })), next };
  });
}

function present(run: ReconciliationRun) {
  const { step, bytes, ids_read, ids, ids_before, compared, looked_up } = run;
  const { tightened, to_look_up, reported, newer, created, state } = run;
  return {
    reconciliation_id: run.reconciliation_id,
    field: run.field,
    cause: run.cause,
    state,
    reason: run.reason,
    detail: run.detail,
    cancel_requested: run.cancel_requested,
    requested_at: momentText(run.requested_at),
    started_at: momentTextOrNull(run.started_at),
    applied_at: momentTextOrNull(run.applied_at),
    finished_at: momentTextOrNull(run.finished_at),
    result_timestamp: momentTextOrNull(run.result_timestamp),
    as_of: momentTextOrNull(run.as_of),
    progress: { step, bytes, ids_read, ids, ids_before, compared, looked_up },
    drift: { tightened, to_look_up, reported, newer, created },
  };
}
