import { operatorEventKinds } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { callRefusals, readRefusedCalls, refusalStatuses } from '../../ingest/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { PageOf } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentText, Nullable } from '../routing/fields.ts';
import { serve } from '../routing/serve.ts';

export const listRefusedCalls = endpoint({
  method: 'GET',
  path: '/brands/:brand/refused-calls',
  tag: 'Quarantine',
  summary: 'Calls to the event endpoints that were refused because of their key, path, method, content type or size',
  description:
    'Lists the combinations of reason, kind of event and key with a refused call in the last 24 hours, the latest first. `calls` counts all calls since `first_at`, which can be earlier. It starts to count again after 24 hours without such a call. There are at most 50 entries of the brand, and 50 that belong to no brand, which every brand sees. A new call is listed within about a second. Bodies and addresses are not stored. Events with wrong fields are in quarantine.',
  may: 'event.read',
  params: BrandParams,
  status: 200,
  answer: PageOf(
    Type.Object({
      status: Type.Integer({ description: 'The status of the answers', examples: [401] }),
      reason: Type.Enum(callRefusals, { description: 'revoked_key: a key that the brand had' }),
      kind: Nullable(
        Type.Enum(operatorEventKinds, {
          description: 'Null: the path or method belongs to no event, or calls of several kinds are counted together',
        }),
      ),
      key_name: Nullable(Type.String({ description: 'The name of the key. Null: no key of the brand' })),
      key_start: Nullable(
        Type.String({
          description:
            'The first 8 hexadecimal digits of the SHA-256 of the key. Null: no key, or calls with several keys are counted together',
          examples: ['9f86d081'],
        }),
      ),
      calls: Type.Integer(),
      first_at: Moment,
      last_at: Moment,
    }),
  ),
});

/** Shows why events of an operator do not arrive. */
export function refusedCallRoutes(app: FastifyInstance, { pool, clock }: ConsoleDeps): void {
  serve(app, listRefusedCalls, async ({ brand }) => ({
    items: (await readRefusedCalls(pool, brand.brand_id, clock())).map(({ first_at, last_at, ...counted }) => ({
      status: refusalStatuses[counted.reason],
      ...counted,
      first_at: momentText(first_at),
      last_at: momentText(last_at),
    })),
    next: null,
  }));
}
