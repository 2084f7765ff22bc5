import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Answers requests that match no route: 404 if the path does not exist, otherwise 405 with the header Allow (docs/errors.md).
 * Fastify itself answers 404 to both. Call this function before the routes of the instance are registered.
 *
 * If possible, call it on an instance without a body parser: the answers are then sent without reading the body.
 *
 * @param answer gets the methods that the path accepts; none means 404. The header is already set.
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
    // A route for the method exists, but its handler found nothing (`reply.callNotFound`).
    const isMissing = found.length === 0 || found.includes(request.method);
    const allowed = isMissing ? [] : [...new Set([...found, ...(options.alsoAllowed ?? [])])];
    if (allowed.length > 0) reply.header('allow', allowed.join(', '));
    return answer(request, reply, allowed);
  });
}

/** Parts of a path; null is a parameter. */
type Pattern = readonly (string | null)[];

interface Route {
  pattern: Pattern;
  methods: readonly string[];
}

/**
 * Paths of routes with the methods that each accepts. OPTIONS is left out, because it is also answered for paths that do not
 * exist.
 */
export class MethodsByPath {
  /** Grouped by the number of parts, so that an unknown path is compared with few patterns. */
  readonly #routes = new Map<number, Route[]>();
  /** Routes that end with a wildcard. Their patterns do not include the wildcard. */
  readonly #trees: Route[] = [];

  /** @param url in Fastify's spelling. A wildcard must be the last part, and follow at least one other part */
  add(url: string, methods: readonly string[]): void {
    const taken = methods.filter((method) => method !== 'OPTIONS');
    if (taken.length === 0 || url === '*' || url === '/*') return;
    const pattern = partsOf(url).map((part) => (part.startsWith(':') ? null : part));
    if (pattern.at(-1) === '*') {
      this.#trees.push({ pattern: pattern.slice(0, -1), methods: taken });
      return;
    }
    const routes = this.#routes.get(pattern.length) ?? [];
    this.#routes.set(pattern.length, routes);
    routes.push({ pattern, methods: taken });
  }

  /** Returns the methods of the path. Those of routes with a wildcard come last. Empty if the path does not exist. */
  of(path: string): string[] {
    const parts = partsOf(path);
    const routes = this.#routes.get(parts.length) ?? [];
    const found = [
      ...routes.filter(({ pattern }) => fits(parts, pattern)),
      ...this.#trees.filter(({ pattern }) => parts.length > pattern.length && fits(parts, pattern)),
    ];
    return [...new Set(found.flatMap(({ methods }) => methods))];
  }
}

function fits(parts: readonly string[], pattern: Pattern): boolean {
  return pattern.every((expected, i) => (expected === null ? parts[i] !== '' : parts[i] === expected));
}

/** A trailing slash makes no difference, as in the router. */
function partsOf(path: string): string[] {
  const end = path.length > 1 && path.endsWith('/') ? -1 : undefined;
  return path.slice(1, end).split('/');
}
