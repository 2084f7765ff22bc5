import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import { findSuppression, suppress, suppressionReasons, unsuppress } from '../../channels/index.ts';
import { transaction } from '../../database/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentTextOrNull, Nullable } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { Note, noted } from './suppression-note.ts';

const tag = 'Channels';
const strict = { additionalProperties: false };
const number = Type.String({ pattern: '^\\+[1-9][0-9]{7,14}$', description: 'Mobile number in E.164: +35699123456' });
const body = Type.Object({ number }, strict);
const changeBody = Type.Object({ number, note: Note }, strict);

const Listed = Type.Object({
  suppressed: Type.Boolean(),
  reason: Nullable(
    Type.Enum([...suppressionReasons], {
      description: 'bounced: the provider reported that the number cannot receive SMS',
    }),
  ),
  detail: Nullable(Type.String({ description: "The provider's message, without the number" })),
  added_at: Nullable(Moment),
  added_by: Nullable(Type.String()),
});

export const findNumberEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/sms-suppressions/find',
  tag,
  summary: 'Whether a mobile number is suppressed',
  description: 'The list stores keyed hashes. You can look up a number, but not list all numbers.',
  may: 'personal.read',
  params: BrandParams,
  body,
  status: 200,
  answer: Listed,
});

export const addNumberEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/sms-suppressions',
  tag,
  summary: 'Suppress a mobile number. Numbers that cannot receive SMS are added automatically',
  may: 'player.protect',
  params: BrandParams,
  body: changeBody,
  status: 200,
  answer: Listed,
});

export const removeNumberEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/sms-suppressions/remove',
  tag,
  summary: 'Remove a mobile number from the suppression list',
  may: 'player.protect',
  params: BrandParams,
  body: changeBody,
  status: 200,
  answer: Type.Object({ removed: Type.Boolean() }),
});

/** Mobile numbers that get no SMS, whichever players have them. */
export function numberSuppressionRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock, push } = deps;
  const keyOf = ({ brand_id }: Brand, number: string) => ({
    brand_id,
    address_key: push.vault.addressKey(brand_id, number),
  });
  const show = async (key: ReturnType<typeof keyOf>) => {
    const found = await findSuppression(pool, key);
    return {
      suppressed: found !== null,
      reason: found?.reason ?? null,
      detail: found?.detail ?? null,
      added_at: momentTextOrNull(found?.added_at ?? null),
      added_by: found?.added_by ?? null,
    };
  };

  serve(app, findNumberEndpoint, async ({ brand, body: { number } }) => show(keyOf(brand, number)));

  serve(app, addNumberEndpoint, async ({ access, brand, body: { number, note } }) => {
    const key = keyOf(brand, number);
    const entry = { reason: 'staff', detail: null, added_at: clock(), added_by: access.actor } as const;
    await transaction(pool, async (tx) => {
      if (await suppress(tx, key, entry))
        await record(deps, access, { action: 'sms.suppressed', brand, subject: subjectOf(key), ...noted(note) }, tx);
    });
    return show(key);
  });

  serve(app, removeNumberEndpoint, async ({ access, brand, body: { number, note } }) => {
    const key = keyOf(brand, number);
    return transaction(pool, async (tx) => {
      const removed = await unsuppress(tx, key);
      const audited = { action: 'sms.unsuppressed', brand, subject: subjectOf(key), ...noted(note) } as const;
      if (removed) await record(deps, access, audited, tx);
      return { removed };
    });
  });
}

/** The subject in the audit. It does not contain the number. */
function subjectOf({ address_key }: { address_key: Buffer }): string {
  return `number ${address_key.toString('hex').slice(0, 16)}`;
}
