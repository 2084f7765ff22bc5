import type { FastifyPluginAsync } from 'fastify';

/**
 * `/health/live`: the process answers. `/health/ready`: the database can be reached and its migrations are done. Lag is a
 * metric and an alarm, never a reason to take an api process out of service: it would stop ingesting (design.md 6).
 */
export function healthRoutes(deps: { ready: () => Promise<void> }): FastifyPluginAsync {
  return async (app) => {
    app.get('/health/live', () => ({ status: 'ok' }));
    app.get('/health/ready', async (request, reply) => {
      try {
        await deps.ready();
        return { status: 'ok' };
      } catch (error) {
        request.log.warn({ err: error }, 'not ready');
        return reply.code(503).header('retry-after', '1').send({ status: 'unavailable' });
      }
    });
  };
}
