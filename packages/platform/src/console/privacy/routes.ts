import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { ClientBase, Pool } from 'pg';
import { Type } from 'typebox';
import { transaction } from '../../database/index.ts';
import type { Language } from '../../language.ts';
import { playerHash } from '../../ledger/index.ts';
import {
  cancelErasure,
  type ErasureRow,
  erasureSteps,
  exportPlayer,
  readErasures,
  requestErasure,
} from '../../privacy/index.ts';
import { record } from '../audit/audit.ts';
import { selectErasureRequesters } from '../audit/store.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { knownPlayer } from '../players/known-player.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentText, momentTextOrNull, Nullable, PlayerParams } from '../routing/fields.ts';
import { Refused, refusedField } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';

const Erasure = Type.Object({
  erasure_id: Type.Integer(),
  player_id: Type.Integer({ description: 'Stays valid. After the erasure, it no longer identifies a person' }),
  user_id: Nullable(Type.String({ description: 'Null after the erasure is over' })),
  user_key: Type.String({ description: 'Keyed hash of brand and user_id, in base64. The audit has the same hash' }),
  forced: Type.Boolean({ description: 'Does not wait for open bonuses and consents' }),
  step: Type.Enum([...erasureSteps]),
  held_because: Nullable(Type.String({ description: 'Why it is waiting, in the language of the call' })),
  tries: Type.Integer({ description: 'How often in a row the step was held or failed. 0 after it continued' }),
  requested_at: Moment,
  requested_by: Nullable(
    Type.String({ description: "E-mail of the account, or 'admin token'. Null: requested on the command line" }),
  ),
  closed_at: Nullable(Moment),
  finished_at: Nullable(Moment),
  counts: Type.Record(Type.String(), Type.Integer(), {
    description: 'Removed rows, by table. ledger.unreadable: blocks and packs that could not be searched',
  }),
});

export const requestErasureEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/players/:user_id/erasure',
  tag: 'Privacy',
  summary: 'Erase a player permanently: everything except counts and sums that identify no player',
  description:
    'A worker begins within a second. It waits for open bonuses and consents unless `force` is set. A second call returns the same erasure.',
  may: 'player.erase',
  params: PlayerParams,
  body: Type.Object(
    {
      confirm: Type.String({ description: 'The user_id again. An erasure cannot be undone' }),
      force: Type.Optional(
        Type.Boolean({
          description: 'Do not wait: give up unknown bonus intents, and drop writes to the operator',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  status: 202,
  answer: Erasure,
});

export const listErasuresEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/erasures',
  tag: 'Privacy',
  summary: 'Erasures of the brand with their progress, newest first',
  may: 'player.erase',
  params: BrandParams,
  query: Type.Object(pageQuery, { additionalProperties: false }),
  status: 200,
  answer: PageOf(Erasure),
});

export const cancelErasureEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/erasures/:erasure_id/cancel',
  tag: 'Privacy',
  summary: 'Cancel an erasure that has not started. Answers 409 once it has started',
  may: 'player.erase',
  conflict: 'The erasure has started or is over',
  params: Type.Object({ ...BrandParams.properties, erasure_id: Type.Integer({ minimum: 1 }) }),
  body: Type.Optional(Type.Object({}, { additionalProperties: false })),
  status: 200,
  answer: Erasure,
});

export const exportPlayerEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/export',
  tag: 'Privacy',
  summary: 'Everything known about a player, as one JSON document',
  description:
    'Without a length limit. The answer is streamed, and the call is written to the audit. If the last bracket is missing, the document is incomplete.',
  may: 'player.export',
  params: PlayerParams,
  status: 200,
  contentType: 'application/json; charset=utf-8',
  answer: Type.Unsafe<Readable>(Type.String({ description: 'user_id, player_id, tables, events' })),
});

const byNumber = new CursorCodec('erasures', Type.Integer());

export function privacyRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock, brands, ledger } = deps;

  serve(app, requestErasureEndpoint, async ({ access, brand, params, body, language }) => {
    const { user_id } = params;
    const { confirm, force = false } = body;
    if (confirm !== user_id) {
      const message = {
        en: 'confirm must be the user_id of the path, because an erasure cannot be undone',
        de: 'confirm muss die user_id aus der Adresse sein, weil eine Löschung nicht rückgängig gemacht werden kann',
      };
      throw refusedField('confirm', 'equal', message);
    }
    const { player_id } = await knownPlayer(pool, brand, user_id);
    // One transaction: an erasure does not begin without a record of who requested it.
    return transaction(pool, async (tx) => {
      const asked = { brand_id: brand.brand_id, player_id, user_id, forced: force, at: clock() };
      const erasure = await requestErasure(tx, brands, asked);
      const details = { erasure_id: erasure.erasure_id, user_key: erasure.user_key.toString('base64'), forced: force };
      const subject = `player ${player_id}`;
      await record(deps, access, { action: 'player.erasure_requested', brand, subject, details }, tx);
      return presentOne(tx, erasure, language);
    });
  });

  serve(app, listErasuresEndpoint, async ({ brand, query, language }) => {
    const before = byNumber.decode(query.cursor) ?? null;
    const rows = await readErasures(pool, brand.brand_id, { limit: query.limit + 1, before });
    const { items, next } = pageFrom(rows, query.limit, (last) => byNumber.encode(last.erasure_id));
    return { items: await presentAll(pool, brand.brand_id, items, language), next };
  });

  serve(app, cancelErasureEndpoint, ({ access, brand, params, language }) =>
    transaction(pool, async (tx) => {
      const { erasure_id } = params;
      const erasure = await cancelErasure(tx, brand.brand_id, erasure_id, clock());
      if (erasure === undefined)
        throw new Refused('conflict', {
          en: `no erasure ${erasure_id} is waiting to begin`,
          de: `Keine Löschung ${erasure_id} wartet auf ihren Beginn`,
        });
      const subject = `player ${erasure.player_id}`;
      await record(deps, access, { action: 'player.erasure_cancelled', brand, subject, details: { erasure_id } }, tx);
      return presentOne(tx, erasure, language);
    }),
  );

  serve(app, exportPlayerEndpoint, async ({ access, brand, params }) => {
    const { player_id, user_id } = await knownPlayer(pool, brand, params.user_id);
    const { brand_id } = brand;
    const subject = { brand_id, player_id, user_id, player_hash: playerHash(brand_id, user_id) };
    await record(deps, access, { action: 'player.exported', brand, subject: `player ${player_id}` });
    return Readable.from(exportPlayer({ pool, ledger }, brand, subject, momentText(clock())));
  });
}

async function presentAll(db: Pool, brandId: number, erasures: readonly ErasureRow[], language: Language) {
  const requesters = await selectErasureRequesters(
    db,
    brandId,
    erasures.map(({ player_id }) => player_id),
  );
  return erasures.map((erasure) => present(erasure, requesters.get(erasure.erasure_id) ?? null, language));
}

async function presentOne(db: ClientBase, erasure: ErasureRow, language: Language) {
  const requesters = await selectErasureRequesters(db, erasure.brand_id, [erasure.player_id]);
  return present(erasure, requesters.get(erasure.erasure_id) ?? null, language);
}

function present(
  { brand_id: _, user_key, held_because, requested_at, closed_at, finished_at, ...erasure }: ErasureRow,
  requested_by: string | null,
  language: Language,
) {
  return {
    ...erasure,
    user_key: user_key.toString('base64'),
    held_because: held_because?.[language] ?? null,
    requested_at: momentText(requested_at),
    requested_by,
    closed_at: momentTextOrNull(closed_at),
    finished_at: momentTextOrNull(finished_at),
  };
}
