import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { ConsoleDeps } from '../deps.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams } from '../routing/fields.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { changeStream } from './stream.ts';
import { TableChanges } from './table-changes.ts';
import { topics } from './topics.ts';

/** Maximum number of open consoles per api process. Each costs a connection and a few kilobytes. */
const mostStreams = 500;

export const followChanges = endpoint({
  method: 'GET',
  path: '/brands/:brand/changes',
  tag: 'Overview',
  summary: 'Changes as server-sent events: names of topics, without data',
  description: `Each event is a JSON list of topics: ${topics.join(', ')}. When a topic is named, read its lists again. A topic may be named although nothing changed at this brand. The stream ends after five minutes, and browsers reconnect automatically.`,
  may: 'brand.read',
  params: BrandParams,
  contentType: 'text/event-stream; charset=utf-8',
  tooMany: `This process already has ${mostStreams} open consoles`,
  status: 200,
  answer: Type.Unsafe<Readable>(Type.String({ description: 'Server-sent events' })),
});

export function liveRoutes(app: FastifyInstance, { pool, log, stopping }: ConsoleDeps): void {
  const changes = new TableChanges({ pool, log });
  // An open stream would delay the end of the process by the 3 s after which the server cuts open calls.
  stopping.addEventListener('abort', () => changes.end());
  serve(app, followChanges, async () => {
    if (changes.listening >= mostStreams)
      throw new Refused(
        'too_many_requests',
        {
          en: 'too many consoles are open; retry later',
          de: 'Zu viele Konsolen sind geöffnet; versuchen Sie es später erneut',
        },
        { retryAfter: 30 },
      );
    return Readable.from(changeStream(changes), { highWaterMark: 1 });
  });
}
