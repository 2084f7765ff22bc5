import type { FastifyPluginAsync } from 'fastify';
import type { Pool } from 'pg';

/** A load balancer asks every few seconds; an answer that comes later is worth nothing to it. */
const readyLimitMs = 2_000;

/**
 * `/health/live`: the process answers. `/health/ready`: the database can be reached and its migrations are done. Lag is a
 * metric and an alarm, never a reason to take an api process out of service: it would stop ingesting (docs/reference/design.md 6).
 */
export function healthRoutes(deps: { ready: () => Promise<void> }): FastifyPluginAsync {
  let underWay: Promise<void> | undefined;
  // One question for all who ask at once: anyone may call this, and a crowd must not take the connections of the pool.
  const ready = () => {
    underWay ??= deps.ready().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
  return async (app) => {
    app.get('/health/live', () => ({ status: 'ok' }));
    app.get('/health/ready', async (request, reply) => {
      try {
        await within(readyLimitMs, ready());
        return { status: 'ok' };
      } catch (error) {
        request.log.warn({ err: error }, 'not ready');
        return reply.code(503).header('retry-after', '1').send({ status: 'unavailable' });
      }
    });
  };
}

/** Rejects unless the database answers and the tables are there. */
export async function databaseIsReady(pool: Pool): Promise<void> {
  await pool.query('select from brand limit 1');
}

async function within(limitMs: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
  await Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
