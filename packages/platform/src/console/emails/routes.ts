import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  type EmailState,
  emailStates,
  type ListedEmail,
  listEmails,
  messagePurposes,
  readEmail,
  readMessageReports,
} from '../../channels/index.ts';
import { decisionsOfMessage } from '../../gate/index.ts';
import { Note, Suppressed, SuppressionList } from '../channels/suppression-list.ts';
import { DecisionShown } from '../compliance/contactability-schemas.ts';
import { presentDecision } from '../compliance/present-decision.ts';
import type { ConsoleDeps } from '../deps.ts';
import { presentReports, Reports } from '../messages/schemas.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFromSearch, pageQuery, searchedInPages } from '../paging/page.ts';
import { knownPlayer } from '../players/known-player.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentText, momentTextOrNull, Nullable } from '../routing/fields.ts';
import { notFound } from '../routing/not-found.ts';
import { serve } from '../routing/serve.ts';

const strict = { additionalProperties: false };
const tag = 'Messages';
const State = Type.Enum([...emailStates], {
  description:
    'unknown: the server may have accepted it, so it is not sent again. dropped: no longer allowed or wanted',
});
const Later = (description: string) => Nullable(Type.String({ format: 'date-time', description }));

const Email = Type.Object({
  message_id: Type.Integer(),
  user_id: Nullable(Type.String()),
  purpose: Type.Enum([...messagePurposes]),
  campaign_id: Nullable(Type.String()),
  template: Nullable(Type.Object({ code: Type.String(), version: Type.Integer(), language: Type.String() })),
  subject: Nullable(Type.String({ description: 'Null for callers who may not see personal data' })),
  state: State,
  reason: Nullable(
    Type.String({
      description:
        'expired, recalled, campaign_recalled, campaign_stopped, bulk_cancelled, no_address, bad_address, suppressed, erased; of the gate: excluded, blocked, no_consent, ...; of the server: no_such_address, refused, sender_refused, deferred, auth_failed, not_built, unreachable, connect_timeout, tls_failed, cut_before, metadata_address; lost, timeout, cut; while it waits for the resume of its campaign: campaign_paused',
    }),
  ),
  status: Nullable(Type.Integer({ description: "The server's last status" })),
  detail: Nullable(
    Type.String({ description: "The server's last message, without the address. Null for callers who may not see it" }),
  ),
  attempts: Type.Integer(),
  decision_id: Nullable(Type.Integer({ description: "The gate's decision that is in force" })),
  created_at: Moment,
  created_by: Type.String(),
  expires_at: Type.String({ format: 'date-time', description: 'Expiry. Nothing is sent after it' }),
  due_at: Later('Time of the next try, or of the next decision by the gate'),
  sent_at: Later('Start of the last call'),
  ended_at: Later('Time of its end'),
  ended_by: Nullable(Type.String({ description: 'Who recalled it' })),
});

export const listEmailsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/emails',
  tag,
  summary: 'E-mails of a brand, newest first',
  description: `Kept for 90 days after their end. ${searchedInPages}`,
  may: 'player.read',
  params: BrandParams,
  query: Type.Object(
    {
      user_id: Type.Optional(Type.String()),
      state: Type.Optional(State),
      reason: Type.Optional(Type.String()),
      campaign_id: Type.Optional(Type.String()),
      ...pageQuery,
    },
    strict,
  ),
  status: 200,
  answer: PageOf(Email),
});

const Words = Nullable(Type.String({ description: 'Null for callers who may not see personal data' }));

export const showEmail = endpoint({
  method: 'GET',
  path: '/brands/:brand/emails/:message_id',
  tag,
  summary: 'One e-mail with its content, the decisions of the gate, and the reports about it',
  may: 'player.read',
  params: Type.Object({
    ...BrandParams.properties,
    message_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  }),
  status: 200,
  answer: Type.Object({
    email: Email,
    html: Words,
    text: Words,
    decisions: Type.Array(DecisionShown, { description: 'Decisions of the gate, oldest first' }),
    reports: Reports,
  }),
});

const Address = Type.String({ minLength: 3, maxLength: 254, pattern: '^[^@\\s]+@[^@\\s]+$' });

export const findSuppressionEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/email-suppressions/find',
  tag,
  summary: 'Whether an address is suppressed',
  description: 'The list stores keyed hashes. You can look up an address, but not list all addresses.',
  may: 'personal.read',
  params: BrandParams,
  body: Type.Object({ address: Address }, strict),
  status: 200,
  answer: Suppressed,
});

export const addSuppression = endpoint({
  method: 'POST',
  path: '/brands/:brand/email-suppressions',
  tag,
  summary: 'Suppress an address. Hard bounces are added automatically',
  may: 'player.protect',
  params: BrandParams,
  body: Type.Object({ address: Address, note: Note }, strict),
  status: 200,
  answer: Suppressed,
});

export const removeSuppression = endpoint({
  method: 'POST',
  path: '/brands/:brand/email-suppressions/remove',
  tag,
  summary: 'Remove an address from the suppression list, for example after its owner has fixed the mailbox',
  may: 'player.protect',
  params: BrandParams,
  body: Type.Object({ address: Address, note: Note }, strict),
  status: 200,
  answer: Type.Object({ removed: Type.Boolean() }),
});

const cursors = new CursorCodec('emails', Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }));

/** E-mails, and suppressed addresses. */
export function emailRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool } = deps;
  const suppressions = new SuppressionList(deps, 'email');

  serve(app, listEmailsEndpoint, async ({ access, brand, query }) => {
    const { limit, cursor, user_id, state, reason, campaign_id } = query;
    const player = user_id === undefined ? undefined : await knownPlayer(pool, brand, user_id);
    const states = state === undefined ? undefined : [state as EmailState];
    const filter = { player_id: player?.player_id, states, reason, campaign_id };
    const before = cursors.decode(cursor);
    const found = await listEmails(pool, brand.brand_id, filter, { limit: limit + 1, before });
    const { items, next } = pageFromSearch(found, limit, ({ message_id }) => message_id, cursors);
    const unmasked = access.may('personal.read', brand);
    return { items: items.map((row) => presentEmail(row, unmasked)), next };
  });

  serve(app, showEmail, async ({ access, brand, params: { message_id } }) => {
    const row = await readEmail(pool, brand.brand_id, message_id);
    if (row === null) throw notFound('e-mail', message_id);
    const [decisions, reports] = await Promise.all([
      decisionsOfMessage(pool, brand.brand_id, row),
      readMessageReports(pool, row),
    ]);
    const unmasked = access.may('personal.read', brand);
    const words = unmasked ? { html: row.html, text: row.plain } : { html: null, text: null };
    return {
      email: presentEmail(row, unmasked),
      ...words,
      decisions: decisions.map(presentDecision),
      reports: presentReports(reports, unmasked),
    };
  });

  serve(app, findSuppressionEndpoint, ({ brand, body: { address } }) => suppressions.find(brand, address));

  serve(app, addSuppression, ({ access, brand, body: { address, note } }) =>
    suppressions.add({ access, brand, contact: address, note }),
  );

  serve(app, removeSuppression, ({ access, brand, body: { address, note } }) =>
    suppressions.remove({ access, brand, contact: address, note }),
  );
}

function presentEmail(row: ListedEmail, unmasked: boolean) {
  const { message_id, user_id, purpose, campaign_id, state, reason, status, attempts, decision_id } = row;
  const { template_code: code, version_of_template: version, language } = row;
  return {
    message_id,
    user_id,
    purpose,
    campaign_id,
    template: code === null || version === null || language === null ? null : { code, version, language },
    subject: unmasked ? row.subject : null,
    state,
    reason,
    status,
    detail: unmasked ? row.detail : null,
    attempts,
    decision_id,
    created_at: momentText(row.created_at),
    created_by: row.created_by,
    expires_at: momentText(row.expires_at),
    due_at: momentTextOrNull(row.due_at),
    sent_at: momentTextOrNull(row.sent_at),
    ended_at: momentTextOrNull(row.ended_at),
    ended_by: row.ended_by,
  };
}
