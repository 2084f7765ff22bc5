import type { Micros } from '@croupier/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Allowance, type Rate } from './allowance.ts';
import { networkOf } from './network.ts';

/** Maximum body of an anonymous call, in bytes. Every such call fits into it, and parsing it takes no noticeable time. */
export const largestAnonymousBody = 4 * 1024;

const withBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Refuses at start every route that takes a body and has no definition. Also refuses every route that reads a large body from
 * unknown callers: such a route must set a limit of at most 4 KiB. Two connections that posted 1 MiB to such a route once
 * raised the median of all other calls from 12 ms to 9 s.
 */
export function requireBodyLimits(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, bodyLimit, config }) => {
    if (![method].flat().some((each) => withBody.has(each))) return;
    if (config?.endpoint === undefined) throw new Error(`${method} ${url} takes a body and has no endpoint definition`);
    if (config.endpoint.may !== 'anyone') return;
    if (bodyLimit === undefined || bodyLimit > largestAnonymousBody)
      throw new Error(
        `${method} ${url} requires no authentication: set a bodyLimit of at most ${largestAnonymousBody}`,
      );
  });
}

/** A hook that counts the calls of each network before any of the body is read. @param refuse throws or answers */
export function limitNetworks(options: {
  rate: Rate;
  now: () => Micros;
  refuse: (retryAfterSeconds: number) => Error;
}): {
  onRequest: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** Removes one call of the network from its count. Routes where only failures count use it for calls that succeed. */
  forgive: (address: string) => void;
} {
  const calls = new Allowance<string>();
  return {
    async onRequest({ ip }) {
      const wait = calls.take(networkOf(ip), options.rate, options.now());
      if (wait !== null) throw options.refuse(wait);
    },
    forgive: (address) => calls.giveBack(networkOf(address), options.rate),
  };
}
