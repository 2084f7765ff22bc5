import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Problem, type ProblemCode, problem } from '@croupier/contracts';
import helmet from '@fastify/helmet';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import { type Language, languageOf, type Words } from '../language.ts';
import { requireBodyLimits } from './callers.ts';
import { buildSerializer } from './serializers.ts';
import { answerUnknownPaths } from './unknown-paths.ts';
import { boundUnreadBody, isAnsweredBeforeBody } from './unread-bodies.ts';
import { addressReader, type Upgrades, wantsUpgrade } from './upgrades.ts';

/** How long a request may take to arrive, in milliseconds. A slower caller is answered 408 and its connection is closed. */
export interface ArrivalLimits {
  /** The limit for the whole request, including its body. */
  whole: number;
  /** The limit for its headers. */
  headers: number;
  /** How often both limits are checked: a late request is cut at most this much later. */
  check: number;
}

const defaultArrivalLimits: ArrivalLimits = { whole: 30_000, headers: 15_000, check: 2_000 };
/**
 * This is longer than the keep-alive of the clients and proxies that operators use (60 s is common). If the server closed
 * connections first, some requests would reach a closed connection.
 */
const keepAliveTimeoutMs = 75_000;

/** Maximum length of one segment of a path, as written. */
const maxParamLength = 500;

/** Maximum body in bytes, if neither the route nor its parser sets another. */
const defaultBodyLimit = 4 * 1024;

/**
 * One HTTP server for everything on the port: the ingest edge sees each request first, and Fastify serves the rest. `edge`
 * returns true if it has handled the request, including the rest of a body that it did not read.
 */
export async function createHttpServer(options: {
  edge: (request: IncomingMessage, response: ServerResponse) => boolean;
  log: Logger;
  /**
   * Paths with their own not-found page. It also answers invalid addresses below the path, such as one with an extra percent
   * sign or with a segment that is too long. Elsewhere an invalid address is answered 400 with a problem document. Default
   * none.
   */
  pagePaths?: readonly string[];
  /**
   * Paths below which the details of errors are in the language of the call (Accept-Language). The header Content-Language names it.
   * Elsewhere they are in English. Default none.
   */
  translatedPaths?: readonly string[];
  /** Addresses and CIDR blocks whose X-Forwarded-For is trusted. Default none. */
  trustedProxies?: string[];
  /** Handles WebSocket handshakes on its paths. Default: none are accepted. */
  upgrades?: Upgrades;
  /** Default: 30 s for a request, 15 s for its headers. */
  arrival?: ArrivalLimits;
}): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: defaultBodyLimit,
    trustProxy: options.trustedProxies ?? false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength },
    rewriteUrl: ({ url = '/' }) => routable(url, options.pagePaths ?? []),
    forceCloseConnections: 'idle',
    schemaController: { compilersFactory: { buildSerializer } },
    frameworkErrors: (error, _request, reply) => {
      const body = problemOf(error, error.statusCode ?? 400, 'en');
      void (reply as FastifyReply).code(body.status).type('application/problem+json').send(body);
    },
    clientErrorHandler: answerBrokenRequest,
    serverFactory: (handler) => {
      const { upgrades, arrival = defaultArrivalLimits } = options;
      const server = createServer(
        {
          connectionsCheckingInterval: arrival.check,
          shouldUpgradeCallback: (request) => upgrades !== undefined && wantsUpgrade(upgrades, request),
        },
        (request, response) => {
          if (options.edge(request, response)) return;
          boundUnreadBody(request, response);
          handler(request, response);
        },
      );
      if (upgrades) {
        const addressOf = addressReader(options.trustedProxies ?? []);
        server.on('upgrade', (request, socket, head) => upgrades.accept(request, socket, head, addressOf(request)));
      }
      server.requestTimeout = arrival.whole;
      server.headersTimeout = arrival.headers;
      server.keepAliveTimeout = keepAliveTimeoutMs;
      return server;
    },
  });
  // Fastify would close the connection while the body is still arriving, and the caller would see a reset instead of the
  // answer.
  app.addHook('onSend', async (request, reply) => {
    if (!request.raw.complete) reply.removeHeader('connection');
  });
  const translated = options.translatedPaths ?? [];
  const answer = (request: FastifyRequest, reply: FastifyReply, problemIn: (language: Language) => Problem) => {
    const isTranslated = translated.some((path) => request.url.startsWith(`${path}/`));
    const language = isTranslated ? languageOf(request.headers['accept-language']) : 'en';
    if (isTranslated) reply.header('content-language', language);
    const body = problemIn(language);
    return reply.code(body.status).type('application/problem+json').send(body);
  };
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500)
      options.log.error({ err: error, method: request.method, route: request.routeOptions.url }, 'a request failed');
    return answer(request, reply, (language) => problemOf(error, status, language));
  });
  // Each part of the API that takes bodies registers its own parsers; no other body is read.
  app.removeAllContentTypeParsers();
  requireBodyLimits(app);
  answerUnknownPaths(app, (request, reply, allowed) => {
    const { method } = request;
    const path = request.url.split('?')[0] ?? '';
    return answer(request, reply, (language) =>
      allowed.length === 0
        ? problem('not_found', { detail: nothingAt(method, path)[language] })
        : problem('method_not_allowed', { detail: otherMethods(path, allowed.join(', '))[language] }),
    );
  });
  await app.register(helmet, {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
        // A laptop or a machine in a LAN serves plain HTTP.
        upgradeInsecureRequests: null,
      },
    },
    // Only the proxy in front knows whether the browser uses TLS, and then sets this header.
    hsts: false,
  });
  return app;
}

/**
 * If Fastify cannot decode an address, it answers before it chooses a plugin. So such an address is replaced by one that
 * does not exist.
 */
function routable(url: string, pagePaths: readonly string[]): string {
  const [path = '', ...query] = url.split('?');
  const below = pagePaths.find((one) => path.startsWith(`${one}/`));
  if (below === undefined || (path.length <= maxParamLength && isDecodable(path))) return url;
  return [`${below}/-/-`, ...query].join('?');
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

const nothingAt = (method: string, path: string): Words => ({
  en: `${method} ${path} does not exist.`,
  de: `${method} ${path} gibt es nicht.`,
});
const otherMethods = (path: string, methods: string): Words => ({
  en: `${path} accepts ${methods}.`,
  de: `${path} erlaubt ${methods}.`,
});
const invalid: Words = { en: 'The request is not valid.', de: 'Die Anfrage ist nicht gültig.' };
const internal: Words = {
  en: "Internal error. The cause is in the server's log.",
  de: 'Interner Fehler. Die Ursache steht im Protokoll des Servers.',
};
/** The German texts for calls that Fastify refuses. In English, Fastify's own messages are used. */
const refusedInGerman = {
  request_timeout: 'Die Anfrage ist nicht rechtzeitig vollständig angekommen.',
  body_too_large: 'Der Inhalt der Anfrage ist zu groß.',
  unsupported_content_type: 'Diesen Inhaltstyp nimmt die Adresse nicht an.',
  invalid_request: invalid.de,
} as const;

/** Internal details go only to the log. The caller gets what it can act on. */
function problemOf(error: FastifyError, status: number, language: Language): Problem {
  const refused = (code: keyof typeof refusedInGerman) =>
    problem(code, { detail: language === 'de' ? refusedInGerman[code] : error.message });
  if (error.validation) {
    return problem('invalid_request', {
      detail: invalid[language],
      errors: error.validation.map((issue) => ({
        path: `${error.validationContext ?? 'request'}${issue.instancePath.replaceAll('/', '.')}`,
        rule: issue.keyword,
        message: issue.message ?? 'is not valid',
      })),
    });
  }
  if (status === 408) return refused('request_timeout');
  if (status === 413) return refused('body_too_large');
  if (status === 415) return refused('unsupported_content_type');
  if (status < 500) return refused('invalid_request');
  return problem('internal_error', { detail: internal[language] });
}

/**
 * Handles requests that node:http could not parse, or that were too slow. It answers them on the bare socket. If the call
 * was already answered, and only the rest of its body is malformed or late, it sends nothing: the caller would take a second answer for the
 * answer to its next call.
 */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  // Pools of clients, and browsers, open connections before they need them.
  const hasNoRequest = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
  if (error.code === 'ECONNRESET' || !socket.writable || hasNoRequest || isAnsweredBeforeBody(socket)) {
    socket.destroy();
    return;
  }
  const [code, detail] = brokenRequests[error.code ?? ''] ?? ['invalid_request', 'The request is not valid HTTP.'];
  const answer = problem(code, { detail });
  const body = JSON.stringify(answer);
  socket.end(
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\ncontent-type: application/problem+json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

const brokenRequests: Record<string, [code: ProblemCode, detail: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive completely in time.'],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The URL and headers of the request are larger than 16 KiB.'],
};
