import { readDecimal } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import {
  applyIntentEvent,
  createIntents,
  type IntentEvent,
  type PersonVerdict,
  RequestKeyReused,
  readIntent,
  refusals,
  unmappedExtra,
} from '../../actions/index.ts';
import type { Brand } from '../../brands/index.ts';
import { transaction } from '../../database/index.ts';
import type { Access } from '../access/access.ts';
import { type AuditAction, record } from '../audit/audit.ts';
import type { AuditDetails } from '../audit/detail-names.ts';
import type { ConsoleDeps } from '../deps.ts';
import { knownPlayer } from '../players/known-player.ts';
import { endpoint } from '../routing/endpoint.ts';
import { PlayerParams, readMoment } from '../routing/fields.ts';
import { Refused, refusedField, reusedKey } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { noIntent } from './routes.ts';
import { IntentId, IntentParams, State, strict, tag } from './schemas.ts';

/** Printable ASCII, because it is sent in a header. */
const Reference = Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]{1,200}$' }));

const Note = Type.String({ minLength: 1, maxLength: 2_000, pattern: '\\S' });

const Outcome = Type.Object({ intent_id: IntentId, state: State });

export const creditBonus = endpoint({
  method: 'POST',
  path: '/brands/:brand/players/:user_id/bonus-credits',
  tag,
  summary: 'Credit or offer a bonus. With amount and currency: bonus funds',
  description:
    'Returns as soon as the intent is stored. If the gate and the budgets allow it, the operator is called immediately afterwards. The header Idempotency-Key makes the call safe to retry: the same key and body return the same intent, and the same key with another body is answered 409. A key is valid for one player. With `offer`, the player has to claim the bonus.',
  may: 'bonus.credit',
  conflict: 'The Idempotency-Key was used for another bonus of the player',
  params: PlayerParams,
  body: Type.Object(
    {
      bonus_code: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
      amount: Type.Optional(
        Type.Union([Type.Number(), Type.String()], { description: 'Above 0. Requires a currency' }),
      ),
      currency: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9]{3,10}$' })),
      extra: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'Values for the fields in the setting operator.bonus_extra_fields',
        }),
      ),
      references: Type.Optional(
        Type.Object(
          { activity_id: Reference, action_id: Reference, action_group_id: Reference, trigger_hash: Reference },
          {
            ...strict,
            description: 'Sent to the operator as headers. activity_id is the campaign whose budgets apply',
          },
        ),
      ),
      offer: Type.Boolean({ default: false }),
      expires_at: Type.Optional(
        Type.String({
          format: 'date-time',
          description:
            'For an offer: until when it can be claimed. Otherwise: after this time it is no longer credited',
        }),
      ),
      note: Type.Optional(Note),
    },
    strict,
  ),
  status: 200,
  answer: Outcome,
});

const acting = {
  method: 'POST',
  tag,
  params: IntentParams,
  status: 200,
  answer: Outcome,
  conflict: 'The state of the intent does not allow this',
} as const;

export const claimIntent = endpoint({
  ...acting,
  path: '/brands/:brand/bonus-intents/:intent_id/claim',
  summary: 'Claim an offer for its player. A second claim changes nothing',
  may: 'bonus.credit',
});

export const cancelIntent = endpoint({
  ...acting,
  path: '/brands/:brand/bonus-intents/:intent_id/cancel',
  summary: 'Cancel an intent that certainly has not credited anything yet',
  may: 'bonus.credit',
  body: Type.Object({ note: Type.Optional(Note) }, strict),
});

export const resolveIntent = endpoint({
  ...acting,
  path: '/brands/:brand/bonus-intents/:intent_id/resolve',
  summary: "Resolve an unknown intent, after checking the operator's records",
  description:
    "With not_applied, `next` states whether the credit is retried or given up. Croupier does not check the outcome, so check the operator's records first.",
  may: 'bonus.resolve',
  body: Type.Object(
    {
      outcome: Type.Enum(['credited', 'not_applied']),
      next: Type.Optional(Type.Enum(['retry', 'give_up'])),
      note: Note,
    },
    strict,
  ),
});

/** Actions on bonus intents, for people and automation: create, claim, cancel, resolve. Each writes an audit row. */
export function intentActionRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;

  serve(app, creditBonus, async ({ access, brand, params, body, requestKey }) => {
    const player = await knownPlayer(pool, brand, params.user_id);
    const { bonus_code, offer, note, references = {}, extra = {} } = body;
    const funds = fundsOf(body);
    refuseUnmapped(extra, brand);
    const expires_at = body.expires_at === undefined ? null : readMoment('expires_at', body.expires_at);
    const intent = {
      brand_id: brand.brand_id,
      player_id: player.player_id,
      bonus_code,
      ...funds,
      extra,
      ...references,
      note: note ?? null,
      offer,
      expires_at,
      created_by: access.actor,
      request_key: requestKey,
    };
    return transaction(pool, async (tx) => {
      const [made] = await createIntents(tx, [intent], clock()).catch(refuseReusedKey);
      if (made === undefined) throw new Error('no intent was created');
      const { intent_id, state, repeated } = made;
      if (!repeated) {
        const action = offer ? 'bonus.offered' : 'bonus.ordered';
        await record(
          deps,
          access,
          { action, brand, subject: subjectOf(intent_id), details: { bonus_code, ...funds } },
          tx,
        );
      }
      return { intent_id, state };
    });
  });

  const act = async (
    { access, brand, intentId }: { access: Access; brand: Brand; intentId: string },
    { event, action, note }: { event: IntentEvent; action: AuditAction; note?: string | undefined },
  ) => {
    if ((await readIntent(pool, brand.brand_id, intentId)) === null) throw noIntent(intentId);
    return transaction(pool, async (tx) => {
      const context = { at: clock(), actor: access.actor, note: note ?? null };
      const applied = await applyIntentEvent(tx, intentId, event, context);
      if (applied === null) throw noIntent(intentId);
      const { step, before } = applied;
      if (step.result === 'refused') throw new Refused('conflict', refusals[step.why]);
      if (step.result === 'moved') {
        const details: AuditDetails =
          'verdict' in event ? { verdict: event.verdict, from: before.state } : { from: before.state };
        await record(deps, access, { action, brand, subject: subjectOf(intentId), details }, tx);
      }
      return { intent_id: intentId, state: step.result === 'moved' ? step.to.state : before.state };
    });
  };

  serve(app, claimIntent, ({ access, brand, params }) =>
    act({ access, brand, intentId: params.intent_id }, { event: { type: 'claimed' }, action: 'bonus.claimed' }),
  );

  serve(app, cancelIntent, ({ access, brand, params, body }) =>
    act(
      { access, brand, intentId: params.intent_id },
      { event: { type: 'cancelled' }, action: 'bonus.cancelled', note: body.note },
    ),
  );

  serve(app, resolveIntent, async ({ access, brand, params, body }) => {
    const event: IntentEvent = { type: 'person', verdict: verdictOf(body) };
    return act({ access, brand, intentId: params.intent_id }, { event, action: 'bonus.resolved', note: body.note });
  });
}

export function fundsOf({ amount, currency }: Pick<Static<typeof creditBonus.body>, 'amount' | 'currency'>) {
  if (amount === undefined && currency === undefined) return { amount: null, currency: null };
  if (amount === undefined || currency === undefined) {
    const path = amount === undefined ? 'amount' : 'currency';
    throw refusedField(path, 'invalid', {
      en: `${path} is missing; funds require an amount and a currency, a bonus has neither`,
      de: `${path} fehlt; eine Geldgutschrift erfordert einen Betrag und eine Währung, bei einem Bonus entfällt beides`,
    });
  }
  const reading = readDecimal(amount);
  if (!reading.ok || reading.text === '0')
    throw refusedField('amount', 'invalid', {
      en: 'amount must be a decimal above 0',
      de: 'amount muss eine Dezimalzahl über 0 sein',
    });
  return { amount: reading.text, currency: currency.toUpperCase() };
}

function refuseUnmapped(extra: Record<string, unknown>, brand: Brand): void {
  const lost = unmappedExtra(extra, brand.operator?.bonus_extra_fields ?? {});
  if (lost.length === 0) return;
  const mapping = {
    en: 'the setting operator.bonus_extra_fields has no field for it',
    de: 'Die Einstellung operator.bonus_extra_fields hat kein Feld dafür',
  };
  throw new Refused(
    'invalid_request',
    {
      en: `extra has names that are not sent: ${lost.join(', ')}`,
      de: `extra hat Namen, die nicht gesendet werden: ${lost.join(', ')}`,
    },
    {
      errors: lost.map((name) => ({ path: `extra.${name}`, rule: 'unmapped', message: mapping })),
    },
  );
}

function verdictOf({ outcome, next }: Static<typeof resolveIntent.body>): PersonVerdict {
  if (outcome === 'credited') {
    if (next !== undefined)
      throw refusedField('next', 'invalid', {
        en: 'omit `next` after credited',
        de: 'Bei credited entfällt `next`',
      });
    return 'credited';
  }
  if (next === undefined)
    throw refusedField('next', 'invalid', {
      en: 'set `next` after not_applied: retry or give_up',
      de: 'Bei not_applied ist `next` erforderlich: retry oder give_up',
    });
  return next === 'retry' ? 'try_again' : 'give_up';
}

function refuseReusedKey(error: unknown): never {
  throw error instanceof RequestKeyReused ? reusedKey(error) : error;
}

function subjectOf(intentId: string): string {
  return `bonus intent ${intentId}`;
}
