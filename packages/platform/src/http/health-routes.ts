import type { FastifyPluginAsync } from 'fastify';
import type { Pool } from 'pg';

/** A load balancer checks every few seconds; an answer later than 2 seconds is useless to it. */
const readyLimitMs = 2_000;

/**
 * `/health/live`: the process answers. `/health/ready`: the database can be reached and its migrations are done. Lag is a
 * metric and an alarm, and never makes an api process unready, because it would then stop ingesting (docs/reference/design.md
 * 6).
 */
export function healthRoutes(deps: { ready: () => Promise<void> }): FastifyPluginAsync {
  let underWay: Promise<void> | undefined;
  // Concurrent checks share one query: anyone may call this, and many callers must not use up the connections of the pool.
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

/** Rejects if the database does not answer or the tables are missing. */
export async function databaseIsReady(pool: Pool): Promise<void> {
  await pool.query('select from brand limit 1');
}

async function within(limitMs: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
  await Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
