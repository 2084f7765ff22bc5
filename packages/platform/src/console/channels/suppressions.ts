import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { ConsoleDeps } from '../deps.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';
import { Note, Suppressed, SuppressionList } from './suppression-list.ts';

const tag = 'Channels';
const strict = { additionalProperties: false };
const number = Type.String({ pattern: '^\\+[1-9][0-9]{7,14}$', description: 'Mobile number in E.164: +35699123456' });
const body = Type.Object({ number }, strict);
const changeBody = Type.Object({ number, note: Note }, strict);

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
  answer: Suppressed,
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
  answer: Suppressed,
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

/** Mobile numbers that get no SMS. */
export function numberSuppressionRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const list = new SuppressionList(deps, 'sms');

  serve(app, findNumberEndpoint, ({ brand, body: { number } }) => list.find(brand, number));

  serve(app, addNumberEndpoint, ({ access, brand, body: { number, note } }) =>
    list.add({ access, brand, contact: number, note }),
  );

  serve(app, removeNumberEndpoint, ({ access, brand, body: { number, note } }) =>
    list.remove({ access, brand, contact: number, note }),
  );
}
