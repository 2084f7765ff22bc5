import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { largestAnonymousBody } from '../http/callers.ts';
import type { Endpoint } from '../http/endpoints/endpoint.ts';
import { register } from '../http/endpoints/register.ts';
import { EarlyReports } from './early-reports.ts';
import { fetchText } from './providers/fetch-text.ts';
import { SnsSignatures } from './providers/sns.ts';
import { hasKey, type ProviderCall, readCall } from './read-call.ts';
import { answerRefusals, Refused } from './refused.ts';
import type { ReplyDeps } from './routes.ts';
import { takeReply } from './take-reply.ts';
import { type ReportSource, type TakenReports, takeReports } from './take-reports.ts';

/*
 * The addresses to which providers and mail servers send reports:
 *
 *   /channels/:brand/:channel/:provider         open to anyone; the provider's signature is the credential. Up to 4 KiB
 *   /channels/:brand/:channel/:provider/:key    for callers with the brand's key, which is checked before the body is read. Up to 1 MiB:
 *                                               providers batch events, and reports of mail servers contain the e-mail
 *
 * Both require a signature, if the provider signs.
 */
const largestKnownBody = 1024 * 1024;

const Taken = Type.Object({
  taken: Type.Integer({ description: 'Reports that became events' }),
  repeated: Type.Integer({ description: 'Reports that were already received; they have no effect' }),
  unknown_message: Type.Integer({ description: 'Reports about unknown messages' }),
  ignored: Type.Integer({ description: 'Entries without usable content' }),
});

const Path = { brand: Type.String(), channel: Type.String(), provider: Type.String() };

const openCall = {
  method: 'POST',
  path: '/channels/:brand/:channel/:provider',
  tag: 'Replies',
  summary: 'Takes reports about messages from a provider that signs its calls',
  // The signature is the credential. It covers the body, so it is checked after the body is read.
  may: 'anyone',
  params: Type.Object(Path),
  bodyBytes: largestAnonymousBody,
  networkLimit: { burst: 200, per_second: 20, counts: 'failures' },
  answer: Taken,
} as const satisfies Endpoint;

const keyedCall = {
  ...openCall,
  path: '/channels/:brand/:channel/:provider/:key',
  summary: 'Takes reports about messages from callers with the key of the brand, with larger bodies',
  may: 'key',
  params: Type.Object({ ...Path, key: Type.String() }),
  bodyBytes: largestKnownBody,
} as const satisfies Endpoint<'key'>;

export function webhookRoutes(given: ReplyDeps): FastifyPluginAsync {
  const deps = { ...given, early: new EarlyReports(given.pool) };
  return async (server) => {
    await server.register(async (app) => {
      answerRefusals(app, deps);
      app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: unknown) => body);
      const signatures = new SnsSignatures({ fetchText: deps.fetchText ?? fetchText });
      const wrongPart = () => new Refused('not_found', 'This address does not exist.');
      const tooMany = (seconds: number) => new Refused('too_many_requests', 'Too many calls were refused.', seconds);
      const serving = { clock: deps.clock, defaultBodyBytes: largestAnonymousBody, wrongPart, tooMany };
      register(app, openCall, {
        ...serving,
        admit: async ({ params }) => brandOf(deps, params),
        handle: ({ params }, request) => take(deps, signatures, params, request, false),
      });
      register(app, keyedCall, {
        ...serving,
        admit: async ({ params }) => {
          const { channel, key } = params as { channel: string; key: string };
          if (!(await hasKey(deps, brandOf(deps, params), channel, key))) throw wrongPart();
        },
        handle: ({ params }, request) => take(deps, signatures, params, request, true),
      });
    });
  };
}

async function take(
  deps: ReplyDeps,
  signatures: SnsSignatures,
  { channel, provider }: { channel: string; provider: string },
  { params, headers, body }: FastifyRequest,
  knowsKey: boolean,
) {
  const brand = brandOf(deps, params);
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const call: ProviderCall = { brand, channel, provider, headers, body: bytes, knowsKey };
  const read = await readCall(deps, signatures, call);
  const source = { brand, channel: channel as ReportSource['channel'], provider };
  const taken = { taken: 0, repeated: 0, unknown_message: 0, ignored: 0 };
  let isAway = false;
  const add = ({ away, ...counts }: TakenReports) => {
    isAway ||= away;
    for (const [name, count] of Object.entries(counts)) taken[name as keyof typeof taken] += count;
  };
  // A STOP must count even if a report, or another reply of the same call, fails.
  const errors: unknown[] = [];
  for (const reply of read.replies ?? [])
    await takeReply(deps, { brand, provider }, reply).then(add, (error: unknown) => errors.push(error));
  add(await takeReports(deps, source, read));
  if (errors.length > 0) throw errors[0];
  if (isAway) throw new Refused('store_unavailable', 'Some reports might not have been stored. Retry them.', 1);
  return taken;
}

function brandOf(deps: Pick<ReplyDeps, 'brands'>, params: unknown) {
  const brand = deps.brands.byCode(brandIn(params));
  if (brand === undefined) throw new Refused('not_found', 'The brand does not exist.');
  return brand;
}

export function brandIn(params: unknown): string {
  return (params as { brand?: string }).brand ?? '';
}
