import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import { findMessages } from '../../channels/index.ts';
import { continuing, presentHead, VerificationBody, verification, walkOptions } from '../compliance/chain-schemas.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { knownPlayer } from '../players/known-player.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentText, Nullable, readMoment, timeRange } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { selectAudit, selectUsers, selectValues } from './store.ts';
import { auditFindingKinds, verifyAudit } from './verify.ts';

const Entry = Type.Object({
  audit_id: Type.Integer(),
  at: Moment,
  account_id: Nullable(Type.Integer({ description: 'Null for the admin token and for a refused sign-in' })),
  actor: Type.String({ description: "E-mail of the account, or 'admin token'" }),
  action: Type.String({ examples: ['quarantine.reinjected'] }),
  subject: Type.String(),
  user_id: Nullable(Type.String({ description: 'The player, if the subject is `player` and a player_id' })),
  message: Nullable(
    Type.Object(
      {
        channel: Type.String({ examples: ['email'] }),
        user_id: Nullable(Type.String({ description: 'Null if the player was erased' })),
      },
      { description: 'If the subject is `message` and a message_id, and the message still exists' },
    ),
  ),
  details: Type.Record(Type.String(), Type.Unknown()),
  seal_no: Nullable(Type.Integer({ description: 'The seal that covers the entry; null in its first seconds' })),
});

const exactly = (description: string) => Type.Optional(Type.String({ maxLength: 300, description }));

const listing = {
  method: 'GET',
  tag: 'Audit',
  status: 200,
  answer: PageOf(Entry),
  query: Type.Object(
    {
      // Not the e-mail, because addresses are logged by proxies and stay in the history of a browser.
      account_id: Type.Optional(Type.Integer({ minimum: 0, description: 'The account; 0: the admin token' })),
      action: exactly('Such as `player.revealed`'),
      subject: exactly('Such as `player 4711`, with the player_id'),
      ...timeRange,
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  may: 'audit.read',
} as const;

export const listBrandAudit = endpoint({
  ...listing,
  path: '/brands/:brand/audit',
  summary: 'Changes that people made at a brand, newest first',
  params: BrandParams,
  query: Type.Object(
    {
      ...listing.query.properties,
      user_id: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 300,
          description:
            'Entries whose subject is this player. Entries about an erased player are found only by `subject`',
        }),
      ),
    },
    { additionalProperties: false },
  ),
});

export const listAccountAudit = endpoint({
  ...listing,
  path: '/audit',
  summary: 'Changes of console accounts and sessions, newest first',
});

const filtering = {
  method: 'GET',
  tag: 'Audit',
  status: 200,
  answer: Type.Object({
    accounts: Type.Array(
      Type.Object({
        account_id: Type.Integer({ description: '0: the admin token' }),
        actor: Type.String({ description: "E-mail of the account, or 'admin token'" }),
      }),
    ),
    actions: Type.Array(Type.String()),
  }),
  may: 'audit.read',
} as const;

export const getBrandAuditFilters = endpoint({
  ...filtering,
  path: '/brands/:brand/audit/filters',
  summary: 'The accounts and the actions of the entries of a brand, to filter by',
  params: BrandParams,
});

export const getAccountAuditFilters = endpoint({
  ...filtering,
  path: '/audit/filters',
  summary: 'The accounts and the actions of the entries about accounts and sessions, to filter by',
});

const verifying = {
  method: 'POST',
  tag: 'Audit',
  description: `${continuing} One chain covers the entries of all brands. To verify the whole chain in one call, run \`npm run cli -- audit verify-staff\`.`,
  may: 'audit.read',
  body: VerificationBody,
  status: 200,
  answer: Type.Object({
    ...verification,
    finding: Nullable(
      Type.Object({
        kind: Type.Enum(auditFindingKinds),
        seal_no: Nullable(Type.Integer()),
        audit_id: Nullable(Type.Integer()),
        message: Type.String(),
      }),
    ),
    entries: Type.Integer(),
    searched_to: Nullable(Type.Integer({ description: 'The audit_id up to which it searched for unsealed entries' })),
  }),
} as const;

export const verifyBrandAudit = endpoint({
  ...verifying,
  path: '/brands/:brand/audit/verification',
  summary: 'Verify the hash chain over the staff audit, with a role at one brand',
  params: BrandParams,
});

export const verifyAuditEndpoint = endpoint({
  ...verifying,
  path: '/audit/verification',
  summary: 'Verify the hash chain over the staff audit',
});

const cursor = new CursorCodec('audit', Type.Number());

interface AuditQuery {
  account_id?: number;
  action?: string;
  subject?: string;
  user_id?: string;
  from?: string;
  to?: string;
  limit: number;
  cursor?: string;
}

/** The player_id of a subject such as `player 4711`, or the message_id of a subject such as `message 4711`. */
function idOf(kind: 'player' | 'message', subject: string): number | undefined {
  const [, found, id] = /^(\w+) (\d{1,15})$/.exec(subject) ?? [];
  return found === kind ? Number(id) : undefined;
}

export function auditRoutes(app: FastifyInstance, { pool }: ConsoleDeps): void {
  const list = async (brand: Brand | null, query: AuditQuery) => {
    const { limit, cursor: given, from, to, subject, user_id, ...filter } = query;
    const brandId = brand?.brand_id ?? null;
    const subjects = subject === undefined ? [] : [subject];
    if (brand !== null && user_id !== undefined)
      subjects.push(`player ${(await knownPlayer(pool, brand, user_id)).player_id}`);
    const before = cursor.decode(given) ?? null;
    const range = { from: readMoment('from', from), to: readMoment('to', to) };
    const rows = await selectAudit(pool, brandId, { ...filter, subjects, ...range }, limit + 1, before);
    const page = pageFrom(rows, limit, (last) => cursor.encode(last.audit_id));
    const idsOf = (kind: 'player' | 'message') => page.items.flatMap(({ subject }) => idOf(kind, subject) ?? []);
    const users = await selectUsers(pool, idsOf('player'));
    // Entries that belong to no brand are about accounts.
    const messages = brandId === null ? undefined : await findMessages(pool, brandId, idsOf('message'));
    return {
      ...page,
      items: page.items.map((row) => ({
        ...row,
        at: momentText(row.at),
        user_id: users.get(idOf('player', row.subject) ?? -1) ?? null,
        message: messages?.get(idOf('message', row.subject) ?? -1) ?? null,
      })),
    };
  };
  const verify = async (body: Parameters<typeof walkOptions>[0]) => {
    const { head, ...report } = await verifyAudit(pool, walkOptions(body));
    return { ...report, head: presentHead(head) };
  };
  serve(app, listBrandAudit, ({ brand, query }) => list(brand, query));
  serve(app, listAccountAudit, ({ query }) => list(null, query));
  serve(app, getBrandAuditFilters, ({ brand }) => selectValues(pool, brand.brand_id));
  serve(app, getAccountAuditFilters, () => selectValues(pool, null));
  serve(app, verifyBrandAudit, ({ body }) => verify(body));
  serve(app, verifyAuditEndpoint, ({ body }) => verify(body));
}
