import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import { BulkRefused, cancelBulk, type Does, listActions, listReached, orderBulk } from '../../bulk/index.ts';
import { UnfitNotification, type WrittenFields } from '../../channels/index.ts';
import { transaction } from '../../database/index.ts';
import type { Access } from '../access/access.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom } from '../paging/page.ts';
import { fundsOf } from '../rewards/action-routes.ts';
import { momentText, readMoment } from '../routing/fields.ts';
import { notFound } from '../routing/not-found.ts';
import { Refused, refusedField } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { wrongFields } from '../routing/wrong-fields.ts';
import * as endpoints from './endpoints.ts';
import { presentAction } from './present.ts';

const actionCodec = new CursorCodec('bulk actions', Type.Integer());
const playerCodec = new CursorCodec('players of a bulk action', Type.Integer());

/** Messages and offers to whole segments: ordered, watched and cancelled, each with its audit row. */
export function bulkRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;

  serve(app, endpoints.orderMessagesEndpoint, async ({ access, brand, params: { code }, body, requestKey }) => {
    const {
      channel,
      purpose,
      template,
      language,
      variables,
      content,
      campaign_id = null,
      products = [],
      per_second,
    } = body;
    if ((template === undefined) === (content === undefined))
      throw refusedField('template', 'bulk', {
        en: 'a message requires either a template or content',
        de: 'Eine Nachricht erfordert entweder eine Vorlage oder einen Inhalt',
      });
    if (template === undefined && (language !== undefined || variables !== undefined))
      throw refusedField('content', 'bulk', {
        en: 'language and variables require a template',
        de: 'language und variables erfordern eine Vorlage',
      });
    const says = template === undefined ? { content: content as WrittenFields } : { template, language, variables };
    const expires_at = readMoment('expires_at', body.expires_at) ?? null;
    const does = { kind: 'message', channel, purpose, says, campaign_id, products, expires_at } as const;
    return order(access, brand, { segment: code, does, per_second, request_key: requestKey });
  });

  serve(app, endpoints.orderOffersEndpoint, async ({ access, brand, params: { code }, body, requestKey }) => {
    const { bonus_code, wagering = null, products = [], note = null, campaign_id = null, per_second } = body;
    const expires_at = readMoment('expires_at', body.expires_at) ?? null;
    const does = {
      kind: 'offer',
      bonus_code,
      ...fundsOf(body),
      wagering,
      products,
      campaign_id,
      expires_at,
      note,
    } as const;
    return order(access, brand, { segment: code, does, per_second, request_key: requestKey });
  });

  serve(app, endpoints.listActionsEndpoint, async ({ brand, query: { segment, limit, cursor } }) => {
    const before = cursor === undefined ? undefined : actionCodec.decode(cursor);
    const rows = await listActions(pool, brand.brand_id, { segment, before, limit: limit + 1 });
    const { items, next } = pageFrom(rows, limit, ({ action }) => actionCodec.encode(action.action_id));
    return { items: items.map(presentAction), next };
  });

  serve(app, endpoints.readActionEndpoint, async ({ brand, params }) => answer(brand, params.action_id));

  serve(app, endpoints.listReachedEndpoint, async ({ brand, params: { action_id }, query }) => {
    await known(brand, action_id);
    const { state, reason, limit, cursor } = query;
    const after = cursor === undefined ? undefined : playerCodec.decode(cursor);
    const rows = await listReached(pool, action_id, { state, reason, after, limit: limit + 1 });
    const { items, next } = pageFrom(rows, limit, ({ player_id }) => playerCodec.encode(player_id));
    return {
      items: items.map((item) => ({
        ...item,
        reason: item.reason === '' ? null : item.reason,
        at: momentText(item.at),
      })),
      next,
    };
  });

  serve(app, endpoints.cancelActionEndpoint, async ({ access, brand, params: { action_id } }) => {
    await refusing(() =>
      transaction(pool, async (tx) => {
        const { brand_id } = brand;
        if (await cancelBulk(tx, { brand_id, action_id }, { at: clock(), actor: access.actor }))
          await record(deps, access, { action: 'bulk.cancelled', brand, subject: `bulk action ${action_id}` }, tx);
      }),
    );
    return answer(brand, action_id);
  });

  async function order(
    access: Access,
    brand: Brand,
    asked: { segment: string; does: Does; per_second: number; request_key: string | null },
  ) {
    const { action_id } = await refusing(() =>
      transaction(pool, async (tx) => {
        const ordered = await orderBulk(tx, { brand, ...asked }, { at: clock(), actor: access.actor });
        const { kind } = asked.does;
        const details = { segment: asked.segment, kind, per_second: asked.per_second };
        if (!ordered.repeated) {
          const subject = `bulk action ${ordered.action_id}`;
          await record(deps, access, { action: 'bulk.ordered', brand, subject, details }, tx);
        }
        return ordered;
      }),
    );
    return answer(brand, action_id);
  }

  async function known(brand: Brand, action_id: number) {
    const [listed] = await listActions(pool, brand.brand_id, { action_id, limit: 1 });
    if (listed === undefined) throw notFound('bulk action', action_id);
    return listed;
  }

  async function answer(brand: Brand, action_id: number) {
    return presentAction(await known(brand, action_id));
  }
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnfitNotification) throw wrongFields(error.errors);
    if (!(error instanceof BulkRefused)) throw error;
    const code = error.kind === 'invalid' ? 'invalid_request' : error.kind;
    throw new Refused(code, error.words, { errors: error.errors });
  }
}
