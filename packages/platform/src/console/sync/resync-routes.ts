import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { transaction } from '../../database/index.ts';
import { lookUps } from '../../operator/judging/index.ts';
import {
  changeResync,
  playersNamed,
  type ResyncFilter,
  type ResyncRun,
  readResync,
  readResyncs,
  requestResync,
  resyncChoices,
  resyncStates,
} from '../../operator/resync/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentText, momentTextOrNull, Nullable, readMoment } from '../routing/fields.ts';
import { notFound } from '../routing/not-found.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';

/** A list of this many ids has 400 KB at most. For more players, callers use a filter or the whole brand. */
const mostNamed = 10_000;

const mostValues = 200;

const RunParams = Type.Object({
  brand: Type.String({ description: 'Code of the brand' }),
  resync_id: Type.Integer({ minimum: 1 }),
});

const values = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: mostValues, description }));

const moment = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

/** All conditions must be met. A filter without conditions selects the whole brand. */
const filterFields = {
  countries: values('Players with one of these countries in their profile'),
  origins: values('Players with one of these origins in their profile'),
  markets: values('Players with one of these markets in their profile'),
  registered_from: moment('Registered at the operator at or after this time'),
  registered_to: moment('Registered at the operator at or before this time'),
  looked_up_before: moment('One of the requested look-ups was last answered before this time, or never'),
  states: Type.Optional(
    Type.Array(Type.Enum([...resyncChoices]), {
      minItems: 1,
      uniqueItems: true,
      description:
        'One of the requested look-ups was never answered, is retrying, or waits until the operator knows the player',
    }),
  ),
};

const Resync = Type.Object({
  resync_id: Type.Integer(),
  state: Type.Enum([...resyncStates]),
  filter: Type.Object(filterFields),
  named: Nullable(Type.Integer({ description: 'Players given as user_ids. Null: all that match the filter' })),
  look_ups: Type.Array(Type.Enum([...lookUps])),
  per_second: Nullable(Type.Integer({ description: 'Players per second. Null: setting operator.resync_per_second' })),
  requested_by: Type.String(),
  requested_at: Moment,
  started_at: Nullable(Moment),
  asked_all_at: Nullable(Moment),
  finished_at: Nullable(Moment),
  progress: Type.Object({
    players: Nullable(
      Type.Integer({ description: 'Players that matched at the start. Null until a worker has counted them' }),
    ),
    look_ups: Nullable(Type.Integer({ description: 'Look-ups of those players in total' })),
    asked: Type.Integer({ description: 'Look-ups requested so far' }),
    answered: Type.Integer(),
    failed: Type.Integer({
      description: 'Failed three times in a row, or parked: see sync-problems. Croupier keeps retrying',
    }),
    open: Type.Integer({ description: 'Requested, and neither answered nor failed' }),
  }),
});

export const requestResyncEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/resyncs',
  tag: 'Operator',
  summary: 'Re-synchronize the given players, the matching players, or the whole brand',
  description:
    'Runs at a limited rate, with lower priority than current events. One run at a time per brand. For a single player, use POST players/:user_id/refresh.',
  may: 'player.resync',
  conflict: 'The brand has no operator, or another run is in progress or paused',
  params: BrandParams,
  body: Type.Optional(
    Type.Object(
      {
        user_ids: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: mostNamed })),
        ...filterFields,
        look_ups: Type.Optional(
          Type.Array(Type.Enum([...lookUps]), { minItems: 1, uniqueItems: true, description: 'Default: all three' }),
        ),
        per_second: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Players per second' })),
      },
      { additionalProperties: false },
    ),
  ),
  status: 202,
  answer: Type.Object({
    resync: Resync,
    unknown_user_ids: Type.Array(Type.String(), { description: 'Given ids that no player of the brand has' }),
  }),
});

export const listResyncs = endpoint({
  method: 'GET',
  path: '/brands/:brand/resyncs',
  tag: 'Operator',
  summary: 'Re-synchronizations with their progress, newest first',
  may: 'brand.read',
  params: BrandParams,
  query: Type.Object(
    { ...pageQuery, state: Type.Optional(Type.Enum([...resyncStates])) },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Resync),
});

export const showResync = endpoint({
  method: 'GET',
  path: '/brands/:brand/resyncs/:resync_id',
  tag: 'Operator',
  summary: 'One re-synchronization with its progress',
  may: 'brand.read',
  params: RunParams,
  status: 200,
  answer: Resync,
});

const noBody = Type.Optional(Type.Object({}, { additionalProperties: false }));

export const pauseResync = endpoint({
  method: 'POST',
  path: '/brands/:brand/resyncs/:resync_id/pause',
  tag: 'Operator',
  summary: 'Pause a run. It requests no further look-ups',
  may: 'player.resync',
  conflict: 'The run is not in progress',
  params: RunParams,
  body: noBody,
  status: 200,
  answer: Resync,
});

export const continueResync = endpoint({
  method: 'POST',
  path: '/brands/:brand/resyncs/:resync_id/continue',
  tag: 'Operator',
  summary: 'Continue a paused run',
  may: 'player.resync',
  conflict: 'The run is not paused',
  params: RunParams,
  body: noBody,
  status: 200,
  answer: Resync,
});

export const cancelResync = endpoint({
  method: 'POST',
  path: '/brands/:brand/resyncs/:resync_id/cancel',
  tag: 'Operator',
  summary: 'Cancel a run. Look-ups already requested are still made',
  may: 'player.resync',
  conflict: 'The run is already over',
  params: RunParams,
  body: noBody,
  status: 200,
  answer: Resync,
});

const byNumber = new CursorCodec('resyncs', Type.Integer());

export function resyncRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;

  serve(app, requestResyncEndpoint, async ({ access, brand, body = {} }) => {
    if (brand.operator === null)
      throw new Refused('conflict', { en: 'the brand has no operator', de: 'Die Marke hat keinen Betreiber' });
    const { user_ids, look_ups = lookUps, per_second = null, ...conditions } = body;
    const named = user_ids === undefined ? null : await playersNamed(pool, brand.brand_id, user_ids);
    const filter = filterOf(conditions);
    // One transaction: no operator gets calls without a record of who requested them.
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
        throw new Refused('conflict', {
          en: 'another re-synchronization of the brand is in progress or paused; cancel it first',
          de: 'Eine andere Neuabfrage der Marke läuft oder ist angehalten; brechen Sie sie zuerst ab',
        });
      const details = { ...conditions, look_ups: [...look_ups], named: run.named, per_second };
      await record(deps, access, { action: 'resync.requested', brand, subject: subjectOf(run), details }, tx);
      return { resync: present(run), unknown_user_ids: named?.unknown ?? [] };
    });
  });

  serve(app, listResyncs, async ({ brand, query }) => {
    const before = byNumber.decode(query.cursor);
    const { state, limit } = query;
    const runs = await readResyncs(pool, { brand_id: brand.brand_id, state, before, limit: limit + 1 });
    const { items, next } = pageFrom(runs, limit, (last) => byNumber.encode(last.resync_id));
    return { items: items.map(present), next };
  });

  const known = async (brandId: number, id: number) => {
    const run = await readResync(pool, brandId, id);
    if (run === undefined) throw notFound('re-synchronization', id);
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
          throw new Refused('conflict', {
            en: `re-synchronization ${resync_id} is ${state}; ${change} is not possible`,
            de: `Die Neuabfrage ${resync_id} hat einen Zustand, der das nicht erlaubt`,
          });
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
