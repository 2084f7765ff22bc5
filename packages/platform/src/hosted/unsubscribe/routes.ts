import type { FieldError } from '@croupier/contracts';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { isDatabaseAway } from '../../database/index.ts';
import { largestAnonymousBody } from '../../http/callers.ts';
import type { Endpoint } from '../../http/endpoints/endpoint.ts';
import { register } from '../../http/endpoints/register.ts';
import { answerUnknownPaths } from '../../http/unknown-paths.ts';
import { type LinkForm, linkForms, linkPaths } from '../links/unsubscribe-links.ts';
import type { Page } from '../page/page.ts';
import { answerPress } from './answer-press.ts';
import type { HostedDeps } from './deps.ts';
import { limitsOf } from './limits.ts';
import { awayPage, busyPage, gonePage, invalidPage } from './pages.ts';
import { type Press, readPress } from './press.ts';
import { showPage } from './show-page.ts';
import { frameOf, type HeldVisit, type Outcome, visitOf } from './visit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for an allowed call of a link. */
    heldVisit: HeldVisit | null;
  }
}

const link = {
  path: '/:token',
  tag: 'Unsubscribe pages',
  // The token is the credential: anyone who has it may call.
  may: 'anyone',
  params: Type.Object({ token: Type.String() }),
  answer: Type.String(),
  contentType: 'text/html; charset=utf-8',
} as const;

const showLink = {
  ...link,
  method: 'GET',
  summary: 'Shows the page of a link. It changes nothing, because mail scanners follow every link',
} as const satisfies Endpoint;

const pressLink = {
  ...link,
  method: 'POST',
  summary: 'Applies a button of the page, or the one-click unsubscribe (RFC 8058)',
  // The platform's longest form has 200 bytes; mail providers wrap theirs in multipart.
  bodyBytes: 4_096,
} as const satisfies Endpoint;
const retryAfterSeconds = 10;

/**
 * The unsubscribe pages as a plugin; register it without a prefix. Every error below the two paths is answered with a page,
 * because players see the brand here; a problem document would not fit.
 *
 * The token in the path is the only credential. So the pages use no cookies, and another site cannot forge a request.
 */
export function hostedRoutes(deps: HostedDeps): FastifyPluginAsync {
  return async (server) => {
    for (const form of linkForms) {
      await server.register(async (app) => linkRoutes(app, form, deps), { prefix: linkPaths[form] });
    }
  };
}

async function linkRoutes(app: FastifyInstance, form: LinkForm, deps: HostedDeps): Promise<void> {
  const visited = (request: FastifyRequest) => visitOf(request, form, deps);
  const limits = await limitsOf(app);
  app.decorateRequest('heldVisit', null);

  answerUnknownPaths(app, (request, reply, allowed) =>
    send(reply, allowed.length === 0 ? 404 : 405, invalidPage(frameOf(visited(request)))),
  );
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const away = isDatabaseAway(error);
    const status = away ? 503 : (error.statusCode ?? 500);
    if (!away && status >= 500) deps.log.error({ err: error, route: request.routeOptions.url }, 'a hosted page failed');
    return send(reply.header('retry-after', retryAfterSeconds), status, awayPage(frameOf(visited(request)), null));
  });

  /** Runs before the body is read, so that the platform reads only the headers of a call above a limit. */
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const visit = visited(request);
    const wait = await limits(request, visit);
    const { holder, brand } = visit;
    if (wait !== null) return send(reply.header('retry-after', wait), 429, busyPage(frameOf(visit)));
    if (holder === null) return send(reply, 404, invalidPage(frameOf(visit)));
    if (brand === null) return send(reply, 410, gonePage(frameOf(visit)));
    request.heldVisit = { visit, holder };
    return undefined;
  };

  const serving = {
    clock: deps.clock,
    defaultBodyBytes: largestAnonymousBody,
    // `admit` answers invalid tokens, and counts calls per address and link.
    wrongPart: (_part: unknown, [first]: readonly FieldError[]) => new Error(first?.message),
    tooMany: () => new Error('no limit of networks is set'),
    admit,
  };

  register(app, showLink, {
    ...serving,
    handle: async (_parts, request, reply) => answer(reply, await showPage(deps, heldVisitOf(request), request)),
  });

  await app.register(async (presses) => {
    presses.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: unknown) => body);
    register(presses, pressLink, { ...serving, handle: pressed });
  });

  async function pressed(_parts: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const held = heldVisitOf(request);
    const { press, lang } = await readPress(request.body, request.headers['content-type']);
    const visit = { ...held.visit, chosen: lang ?? held.visit.chosen };
    try {
      return answer(reply, await answerPress(deps, { ...held, visit }, press));
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      // The change may already be committed. If so, pressing again has no further effect.
      return send(reply.header('retry-after', retryAfterSeconds), 503, awayPage(frameOf(visit), fieldsOf(press)));
    }
  }

  app.options('/:token', (_request, reply) => reply.code(204).header('allow', 'GET, HEAD, POST, OPTIONS').send());
}

function heldVisitOf({ heldVisit }: FastifyRequest): HeldVisit {
  if (heldVisit === null) throw new Error('the route has not admitted this call');
  return heldVisit;
}

/** The fields that repeat the same press. */
function fieldsOf(press: Press): Record<string, string> | null {
  switch (press.kind) {
    case 'stop':
      return { stop: press.channel };
    case 'undo':
      return { undo: press.receipt };
    case 'one_click':
      return { 'List-Unsubscribe': 'One-Click' };
    case 'unclear':
      return null;
  }
}

function answer(reply: FastifyReply, outcome: Outcome): FastifyReply {
  if (outcome.status !== 303) return send(reply, outcome.status, outcome.page);
  // Relative, so that it works under any path of a proxy.
  return withPrivacy(reply).redirect(`?${new URLSearchParams(outcome.query)}`, 303);
}

function send(reply: FastifyReply, status: number, page: Page): FastifyReply {
  return withPrivacy(reply)
    .code(status)
    .header('content-security-policy', page.policy)
    .header('content-language', page.language)
    .type('text/html; charset=utf-8')
    .send(page.html);
}

/** The address is a credential, so it must not be cached, indexed, or sent as a Referer. */
function withPrivacy(reply: FastifyReply): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-robots-tag', 'noindex, nofollow');
}
