import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import Type from 'typebox';
import type { BrandRegistry } from '../../brands/index.ts';
import {
  linksOf,
  type MessageTokens,
  mayTrack,
  readTrackedMessage,
  storeReport,
  type TrackedChannel,
} from '../../channels/index.ts';
import type { Clock } from '../../clock.ts';
import { isDatabaseAway } from '../../database/index.ts';
import { largestAnonymousBody } from '../../http/callers.ts';
import type { Endpoint } from '../../http/endpoints/endpoint.ts';
import { register } from '../../http/endpoints/register.ts';
import { answerUnknownPaths } from '../../http/unknown-paths.ts';
import { plainLook } from '../page/look.ts';
import type { Frame, Page } from '../page/page.ts';
import { acceptedLanguages, chooseLanguage } from '../texts/languages.ts';
import { awayPage, invalidPage } from '../unsubscribe/pages.ts';

/*
 * The targets of tracked links in e-mails and SMS, and of pictures in e-mails:
 *
 *   GET /t/<token>-<place>   reports the click, and redirects to the link at that position of the stored e-mail
 *   GET /t/<code>            the same for an SMS; the code contains the position
 *   GET /o/<token>           reports that the e-mail was opened, and returns a picture of one pixel
 *
 * Programs that scan messages call every link. So these links have no other effect: they never withdraw a consent.
 * Calls that declare themselves as prefetching are not reported. The target is never taken from the call.
 */
export interface TrackedDeps {
  pool: Pool;
  clock: Clock;
  log: Logger;
  brands: Pick<BrandRegistry, 'byId'>;
  tokens: Pick<MessageTokens, 'read' | 'readCode'>;
}

const link = {
  method: 'GET',
  tag: 'Tracked links',
  // The token is the credential: anyone who has it may call.
  may: 'anyone',
  params: Type.Object({ token: Type.String() }),
  // Mail providers fetch pictures for all their users from a few addresses, so only wrong tokens count.
  networkLimit: { burst: 100, per_second: 5, counts: 'failures' },
  answer: Type.String(),
} as const;

const followLink = {
  ...link,
  path: '/:token',
  summary: 'Records a click and redirects to the link of the e-mail or SMS',
} as const satisfies Endpoint;

const showPicture = {
  ...link,
  path: '/:token',
  summary: 'Records that an e-mail was opened; returns a one-pixel image',
  contentType: 'image/gif',
} as const satisfies Endpoint;

/** The paths under which tokens are used. */
export const trackedPaths: readonly string[] = ['/t', '/o'];

const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const retryAfterSeconds = 10;

class NoSuchLink extends Error {
  readonly statusCode = 404;
}

class TooMany extends Error {
  readonly statusCode = 429;
  readonly retryAfter: number;
  constructor(retryAfter: number) {
    super('too many invalid links');
    this.retryAfter = retryAfter;
  }
}

/**
 * The routes as a plugin; register it without a prefix. Every error is answered with a page, because players follow these
 * links.
 */
export function trackedRoutes(deps: TrackedDeps): FastifyPluginAsync {
  return async (server) => {
    const serving = {
      clock: deps.clock,
      defaultBodyBytes: largestAnonymousBody,
      wrongPart: () => new NoSuchLink('a token has another form'),
      tooMany: (seconds: number) => new TooMany(seconds),
    };
    await server.register(
      async (app) => {
        answerWithPages(app, deps);
        register(app, followLink, {
          ...serving,
          handle: async ({ params: { token } }, request, reply) =>
            withPrivacy(reply).redirect(await targetOf(deps, token, request), 302),
        });
      },
      { prefix: '/t' },
    );
    await server.register(
      async (app) => {
        answerWithPages(app, deps);
        register(app, showPicture, {
          ...serving,
          handle: async ({ params: { token } }, request, reply) => {
            await tellOpen(deps, token, request);
            return withPrivacy(reply).type(showPicture.contentType).send(pixel);
          },
        });
      },
      { prefix: '/o' },
    );
  };
}

function answerWithPages(app: FastifyInstance, { log }: Pick<TrackedDeps, 'log'>): void {
  const send = (reply: FastifyReply, status: number, page: Page) =>
    withPrivacy(reply)
      .code(status)
      .header('content-security-policy', page.policy)
      .type('text/html; charset=utf-8')
      .send(page.html);
  answerUnknownPaths(app, (request, reply, allowed) =>
    send(reply, allowed.length === 0 ? 404 : 405, invalidPage(frameOf(request))),
  );
  app.setErrorHandler((error: Error & { statusCode?: number; retryAfter?: number }, request, reply) => {
    const isAway = isDatabaseAway(error);
    const status = isAway ? 503 : (error.statusCode ?? 500);
    if (!isAway && status >= 500) log.error({ err: error, route: request.routeOptions.url }, 'a tracked link failed');
    if (status >= 500 || status === 429) reply.header('retry-after', error.retryAfter ?? retryAfterSeconds);
    const frame = frameOf(request);
    return send(reply, status, status >= 500 ? awayPage(frame, null) : invalidPage(frame));
  });
}

/** @throws {NoSuchLink} */
async function targetOf(deps: TrackedDeps, text: string, request: FastifyRequest): Promise<string> {
  const { channel, message_id, place } = linkNamed(deps, text);
  const { message, allows } = await messageOf(deps, channel, message_id);
  const target = linksOf(message)[place - 1];
  if (target === undefined) throw new NoSuchLink('the message does not have this link');
  const link = String(place);
  if (allows.clicks && isLookedAt(request))
    await storeReport(deps.pool, { ...message, what: 'clicked', link, place: link }, deps.clock());
  return asciiAddress(target);
}

/** A header takes only ASCII, but a template may insert a name such as Łukasz into a link. */
function asciiAddress(url: string): string {
  return URL.canParse(url) ? new URL(url).href : encodeURI(url.toWellFormed());
}

/** The link that a token or a code names. @throws {NoSuchLink} */
function linkNamed({ tokens }: TrackedDeps, text: string) {
  const [, token, place] = /^(.+)-([1-9]\d{0,2})$/.exec(text) ?? [];
  const sms = token === undefined ? tokens.readCode(text) : null;
  if (sms !== null) return { channel: 'sms', ...sms } as const;
  const email = token === undefined ? null : tokens.read('click', token);
  if (email === null) throw new NoSuchLink('the platform did not create this link');
  return { channel: 'email', message_id: email.message_id, place: Number(place) } as const;
}

async function tellOpen(deps: TrackedDeps, token: string, request: FastifyRequest): Promise<void> {
  const named = deps.tokens.read('open', token);
  if (named === null) throw new NoSuchLink('the platform did not create this link');
  const { message, allows } = await messageOf(deps, 'email', named.message_id);
  if (allows.opens && isLookedAt(request)) await storeReport(deps.pool, { ...message, what: 'opened' }, deps.clock());
}

/** The message, and which of its events are tracked. @throws {NoSuchLink} */
async function messageOf({ pool, brands }: TrackedDeps, channel: TrackedChannel, messageId: number) {
  const found = await readTrackedMessage(pool, channel, messageId);
  const brand = found === null ? undefined : brands.byId(found.brand_id);
  if (found === null || brand === undefined) throw new NoSuchLink('the message does not exist or is no longer stored');
  const allows = mayTrack(brand.settings.message_tracking, channel, found);
  return { message: { ...found, channel, provider: 'link' }, allows };
}

/** Whether a person may have made the call. A HEAD, or a prefetch by a browser or mail program, does not count. */
function isLookedAt({ method, headers }: FastifyRequest): boolean {
  if (method !== 'GET') return false;
  return !['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /prefetch|preview/i.test(String(headers[name])),
  );
}

function frameOf({ headers }: FastifyRequest): Frame {
  return { look: plainLook, language: chooseLanguage(acceptedLanguages(headers['accept-language'])), query: {} };
}

/** The address identifies a message, so it must not be cached, indexed, or sent as a Referer. */
function withPrivacy(reply: FastifyReply): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-robots-tag', 'noindex, nofollow');
}
