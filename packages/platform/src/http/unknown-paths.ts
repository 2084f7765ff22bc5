import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Answers what no route takes: 404 where nothing is at the path, else 405 with the header Allow (docs/errors.md). Fastify itself
 * answers 404 to both. Call it before the routes of the instance are registered.
 *
 * An instance that has no parser for bodies answers without reading the body, so register it outside those that have one.
 *
 * @param answer gets the methods that the path takes; none: 404. The header is set already.
 */
export function answerUnknownPaths(
  app: FastifyInstance,
  answer: (request: FastifyRequest, reply: FastifyReply, allowed: readonly string[]) => FastifyReply,
  options: { alsoAllowed?: readonly string[] } = {},
): void {
  const paths = new MethodsByPath();
  app.addHook('onRoute', ({ url, method }) => paths.add(url, [method].flat()));
  app.setNotFoundHandler((request, reply) => {
    const found = paths.of(request.url.split('?')[0] ?? '');
    // A route that takes the method has looked and found nothing (`reply.callNotFound`).
    const isMissing = found.length === 0 || found.includes(request.method);
    const allowed = isMissing ? [] : [...new Set([...found, ...(options.alsoAllowed ?? [])])];
    if (allowed.length > 0) reply.header('allow', allowed.join(', '));
    return answer(request, reply, allowed);
  });
}

/** Parts of a path; null stands for a parameter. */
type Pattern = readonly (string | null)[];

/** Paths of routes and the methods that each takes. OPTIONS is left out: it is answered for paths that do not exist, too. */
export class MethodsByPath {
  /** By the number of parts, so that an unknown path is compared with a few patterns only. */
  readonly #routes = new Map<number, { pattern: Pattern; methods: readonly string[] }[]>();

  /** @param url in Fastify's spelling. Wildcards are left out. */
  add(url: string, methods: readonly string[]): void {
    const taken = methods.filter((method) => method !== 'OPTIONS');
    if (taken.length === 0 || url.includes('*')) return;
    const pattern = partsOf(url).map((part) => (part.startsWith(':') ? null : part));
    const routes = this.#routes.get(pattern.length) ?? [];
    this.#routes.set(pattern.length, routes);
    routes.push({ pattern, methods: taken });
  }

  /** In the order of registration; empty: there is no such path. */
  of(path: string): string[] {
    const parts = partsOf(path);
    const routes = this.#routes.get(parts.length) ?? [];
    return [...new Set(routes.filter(({ pattern }) => fits(parts, pattern)).flatMap(({ methods }) => methods))];
  }
}

function fits(parts: readonly string[], pattern: Pattern): boolean {
  return pattern.every((expected, i) => (expected === null ? parts[i] !== '' : parts[i] === expected));
}

/** A slash at the end makes no difference, as in the router. */
function partsOf(path: string): string[] {
  const end = path.length > 1 && path.endsWith('/') ? -1 : undefined;
  return path.slice(1, end).split('/');
}
