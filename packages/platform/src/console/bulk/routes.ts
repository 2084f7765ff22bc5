import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import {
  BulkRefused,
  cancelBulk,
  type Does,
  listActions,
  listReached,
  orderBulk,
  usableAudience,
} from '../../bulk/index.ts';
import { gateChannelsOf, UnfitNotification, type WrittenFields } from '../../channels/index.ts';
import { onOneConnection, transaction } from '../../database/index.ts';
import { type CountedVerdicts, countVerdicts } from '../../gate/index.ts';
import type { Language } from '../../language.ts';
import { countAudience, sampleAudience } from '../../segments/audience/index.ts';
import type { Access } from '../access/access.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { inLanguage } from '../language/translate.ts';
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

/** The number of members in an estimate. 19 of 20 estimates differ from the exact count by at most 2.2 % of the members. */
const sampledMembers = 2_000;
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

  serve(app, endpoints.readReachEndpoint, async ({ brand, params: { code }, query: { channel, purpose } }) => {
    const { brand_id } = brand;
    const audience = await refusing(() => onOneConnection(pool, (client) => usableAudience(client, brand_id, code)));
    const [members, players] = await Promise.all([
      countAudience(pool, audience),
      sampleAudience(pool, audience, sampledMembers),
    ]);
    const asked =
      channel === 'bonus'
        ? ({ channels: ['bonus'], purpose: 'bonus' } as const)
        : { channels: await gateChannelsOf(pool, brand_id, channel), purpose };
    const counted = await countVerdicts(pool, { brand_id, players, ...asked }, deps);
    return { ...scaled(counted, members / Math.max(1, players.length)), ...seen(members, players.length) };
  });

  serve(app, endpoints.listActionsEndpoint, async ({ brand, query: { segment, request_key, limit, cursor } }) => {
    const before = actionCodec.decode(cursor);
    const rows = await listActions(pool, brand.brand_id, { segment, request_key, before, limit: limit + 1 });
    const { items, next } = pageFrom(rows, limit, ({ action }) => actionCodec.encode(action.action_id));
    return { items: items.map(presentAction), next };
  });

  serve(app, endpoints.readActionEndpoint, async ({ brand, params }) => answer(brand, params.action_id));

  serve(app, endpoints.listReachedEndpoint, async ({ brand, params: { action_id }, query }) => {
    await known(brand, action_id);
    const { state, reason, limit, cursor } = query;
    const after = playerCodec.decode(cursor);
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

function seen(members: number, checked: number) {
  return { members, checked, exact: members <= checked };
}

/** Extrapolates the counts of a sample to all members. */
function scaled({ allowed, withheld, held }: CountedVerdicts, by: number): CountedVerdicts {
  const each = <Reason extends string>(counts: Partial<Record<Reason, number>>) =>
    Object.fromEntries(
      Object.entries<number | undefined>(counts).map(([reason, count = 0]) => [reason, Math.round(count * by)]),
    ) as Partial<Record<Reason, number>>;
  return { allowed: Math.round(allowed * by), withheld: each(withheld), held: each(held) };
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnfitNotification) throw wrongFields(error.errors);
    if (!(error instanceof BulkRefused)) throw error;
    const code = error.kind === 'invalid' ? 'invalid_request' : error.kind;
    const reasons = (language: Language) => error.reasons.map((reason) => inLanguage(reason, language)).join('; ');
    const message = (language: Language) =>
      error.reasons.length === 0 ? error.words[language] : `${error.words[language]} (${reasons(language)})`;
    throw new Refused(code, { en: message('en'), de: message('de') }, { errors: error.errors });
  }
}
