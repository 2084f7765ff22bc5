import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { transaction } from '../../database/index.ts';
import { lookUps } from '../../operator/calling/index.ts';
import {
  changeResync,
  playersNamed,
  type ResyncFilter,
  type ResyncRun,
  readResync,
  readResyncs,
  requestResync,
} from '../../operator/players/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { momentText, momentTextOrNull, readMoment } from '../routing/fields.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import {
  cancelResync,
  continueResync,
  listResyncs,
  pauseResync,
  requestResyncEndpoint,
  showResync,
} from './resync-endpoints.ts';

const byNumber = new CursorCodec('resyncs', Type.Integer());

export function resyncRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;

  serve(app, requestResyncEndpoint, async ({ access, brand, body = {} }) => {
    if (brand.operator === null) throw new Refused('conflict', 'the brand has no operator to ask');
    const { user_ids, look_ups = lookUps, per_second = null, ...conditions } = body;
    const named = user_ids === undefined ? null : await playersNamed(pool, brand.brand_id, user_ids);
    const filter = filterOf(conditions);
    // One transaction: nothing is asked of an operator without a record of who wanted it.
    return transaction(pool, async (tx) => {
      const run = await requestResync(tx, {
        brand_id: brand.brand_id,
        filter,
        player_ids: named?.player_ids ?? null,
        look_ups,
        per_second,
        requested_by: access.actor,
        now: clock(),
      });
      if (run === undefined)
        throw new Refused(
          'conflict',
          'another re-synchronisation of the brand is under way or paused: cancel it first',
        );
      const details = { ...conditions, look_ups: [...look_ups], named: run.named, per_second };
      await record(deps, access, { action: 'resync.requested', brand, subject: subjectOf(run), details }, tx);
      return { resync: present(run), unknown_user_ids: named?.unknown ?? [] };
    });
  });

  serve(app, listResyncs, async ({ brand, query }) => {
    const before = query.cursor === undefined ? undefined : byNumber.decode(query.cursor);
    const { state, limit } = query;
    const runs = await readResyncs(pool, { brand_id: brand.brand_id, state, before, limit: limit + 1 });
    const { items, next } = pageFrom(runs, limit, (last) => byNumber.encode(last.resync_id));
    return { items: items.map(present), next };
  });

  const known = async (brandId: number, id: number) => {
    const run = await readResync(pool, brandId, id);
    if (run === undefined) throw new Refused('not_found', `the brand has no re-synchronisation ${id}`);
    return run;
  };
  serve(app, showResync, async ({ brand, params }) => present(await known(brand.brand_id, params.resync_id)));

  const changes = [
    { endpoint: pauseResync, change: 'pause', action: 'resync.paused' },
    { endpoint: continueResync, change: 'continue', action: 'resync.continued' },
    { endpoint: cancelResync, change: 'cancel', action: 'resync.cancelled' },
  ] as const;
  for (const { endpoint, change, action } of changes) {
    serve(app, endpoint, async ({ access, brand, params: { resync_id } }) => {
      const { state } = await known(brand.brand_id, resync_id);
      const of = { brand_id: brand.brand_id, resync_id };
      return transaction(pool, async (tx) => {
        const run = await changeResync(tx, of, change, clock());
        if (run === undefined)
          throw new Refused('conflict', `re-synchronisation ${resync_id} is ${state}: no ${change}`);
        await record(deps, access, { action, brand, subject: subjectOf(run) }, tx);
        return present(run);
      });
    });
  }
}

type Conditions = Omit<ResyncFilter, 'registered_from' | 'registered_to' | 'looked_up_before'> & {
  registered_from?: string;
  registered_to?: string;
  looked_up_before?: string;
};

function filterOf({ registered_from, registered_to, looked_up_before, ...rest }: Conditions): ResyncFilter {
  return {
    ...rest,
    ...(registered_from !== undefined && { registered_from: readMoment('registered_from', registered_from) }),
    ...(registered_to !== undefined && { registered_to: readMoment('registered_to', registered_to) }),
    ...(looked_up_before !== undefined && { looked_up_before: readMoment('looked_up_before', looked_up_before) }),
  };
}

function subjectOf({ resync_id }: ResyncRun): string {
  return `resync ${resync_id}`;
}

function present(run: ResyncRun) {
  const { registered_from, registered_to, looked_up_before, ...rest } = run.filter;
  const { total, asked, answered, failed, look_ups } = run;
  return {
    resync_id: run.resync_id,
    state: run.state,
    filter: {
      ...rest,
      ...(registered_from !== undefined && { registered_from: momentText(registered_from) }),
      ...(registered_to !== undefined && { registered_to: momentText(registered_to) }),
      ...(looked_up_before !== undefined && { looked_up_before: momentText(looked_up_before) }),
    },
    named: run.named,
    look_ups,
    per_second: run.per_second,
    requested_by: run.requested_by,
    requested_at: momentText(run.requested_at),
    started_at: momentTextOrNull(run.started_at),
    asked_all_at: momentTextOrNull(run.asked_all_at),
    finished_at: momentTextOrNull(run.finished_at),
    progress: {
      players: total,
      look_ups: total === null ? null : total * look_ups.length,
      asked,
      answered,
      failed,
      open: asked - answered - failed,
    },
  };
}
