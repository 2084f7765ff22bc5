import { type ProblemCode, problem } from '@croupier/contracts';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import Type from 'typebox';
import type { BrandRegistry, Vault } from '../brands/index.ts';
import { readChannelSettings } from '../channels/index.ts';
import type { Clock } from '../clock.ts';
import { largestAnonymousBody } from '../http/callers.ts';
import type { Endpoint } from '../http/endpoints/endpoint.ts';
import { register } from '../http/endpoints/register.ts';
import { playersOfNumber } from './sender.ts';
import { meansStop } from './stop-words.ts';
import { isSignedByTwilio } from './twilio-signature.ts';
import { withdrawSms } from './withdraw.ts';

export interface ReplyDeps {
  pool: Pool;
  clock: Clock;
  log: Logger;
  vault: Pick<Vault, 'open'>;
  brands: Pick<BrandRegistry, 'byCode'>;
  /** Address of the installation, as providers call it. */
  publicUrl: string;
}

const signatureHeader = 'x-twilio-signature';

const twilioReply = {
  method: 'POST',
  path: '/channels/:brand/sms/twilio',
  tag: 'Replies',
  summary: 'Takes a reply to an SMS from Twilio; STOP withdraws the consent',
  // The signature is the credential. It covers the body, so it is checked after the body is read.
  may: 'anyone',
  params: Type.Object({ brand: Type.String() }),
  bodyBytes: largestAnonymousBody,
  // Good calls count for nothing: Twilio sends all replies from a few addresses.
  networkLimit: { burst: 200, per_second: 20, counts: 'failures' },
  answer: Type.String(),
  contentType: 'text/xml; charset=utf-8',
} as const satisfies Endpoint;

/** Twilio sends nothing back to the player. */
const noAnswer = '<?xml version="1.0" encoding="UTF-8"?><Response></Response>';

class Refused extends Error {
  readonly statusCode: number;
  readonly code: ProblemCode;
  readonly retryAfter: number | undefined;
  constructor(code: ProblemCode, detail: string, retryAfter?: number) {
    super(detail);
    this.code = code;
    this.statusCode = problem(code).status;
    this.retryAfter = retryAfter;
  }
}

/** The addresses at which providers report replies, as a plugin; register it without a prefix. */
export function replyRoutes(deps: ReplyDeps): FastifyPluginAsync {
  return async (server) => {
    await server.register(async (app) => {
      answerRefusals(app, deps);
      app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: unknown, body: unknown) => body);
      register(app, twilioReply, {
        clock: deps.clock,
        defaultBodyBytes: largestAnonymousBody,
        wrongPart: () => new Refused('not_found', 'There is no such address.'),
        tooMany: (seconds) => new Refused('too_many_requests', 'Too many calls with a wrong signature.', seconds),
        // Before the body is read.
        admit: async ({ headers, params }) => {
          if (deps.brands.byCode(brandIn(params)) === undefined)
            throw new Refused('not_found', 'There is no such brand.');
          if (typeof headers[signatureHeader] !== 'string') throw new Refused('forbidden', 'The call is not signed.');
        },
        handle: async ({ params }, request, reply) => {
          await takeReply(deps, params.brand, request);
          return reply.type(twilioReply.contentType).send(noAnswer);
        },
      });
    });
  };
}

async function takeReply(deps: ReplyDeps, code: string, { body, headers, url }: FastifyRequest): Promise<void> {
  const brand = deps.brands.byCode(code);
  const settings = brand && (await readChannelSettings(deps.pool, deps.vault, brand, 'sms'));
  if (brand === undefined || settings?.provider !== 'twilio')
    throw new Refused('not_found', 'The brand sends no SMS through Twilio.');
  const token = settings.reply_token ?? (settings.key_sid === undefined ? settings.auth_token : undefined);
  const form = new URLSearchParams(typeof body === 'string' ? body : '');
  const address = `${deps.publicUrl.replace(/\/+$/, '')}${url}`;
  if (token === undefined || !isSignedByTwilio(token, address, form, String(headers[signatureHeader])))
    throw new Refused('forbidden', 'The signature is wrong.');
  // Of another account that the same token signs for: a subaccount is another customer.
  if (form.get('AccountSid') !== settings.account_sid) throw new Refused('forbidden', 'The account is another one.');
  // Twilio says itself what a reply means where the account has Advanced Opt-Out.
  const isStop = form.get('OptOutType') === 'STOP' || meansStop(form.get('Body') ?? '');
  const players = isStop ? await playersOfNumber(deps.pool, brand.brand_id, form.get('From') ?? '') : [];
  const withdrawn = await withdrawSms(deps, brand.brand_id, players);
  deps.log.info({ brand: brand.code, stop: isStop, players: players.length, withdrawn }, 'a reply to an SMS came in');
}

function brandIn(params: unknown): string {
  return (params as { brand?: string }).brand ?? '';
}

function answerRefusals(app: FastifyInstance, { log }: Pick<ReplyDeps, 'log'>): void {
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply: FastifyReply) => {
    // The server answers what is broken or too long.
    if (!(error instanceof Refused)) throw error;
    if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter);
    if (error.code === 'forbidden') log.warn(`a reply to an SMS was refused: ${error.message}`);
    return reply
      .code(error.statusCode)
      .type('application/problem+json')
      .send(problem(error.code, { detail: error.message }));
  });
}
