import { trackRequest, trackResult } from '@croupier/contracts';
import { wrongBody } from '../api/documented-answers.ts';
import { endpoint } from '../api/endpoint.ts';
import { SiteRefusal } from '../api/envelope.ts';
import { track } from './track.ts';

/**
 * Size of the brand's burst, in seconds of `site_functions.tracked_per_second`: a mail to all players opens many pages within a
 * minute.
 */
const brandBurstSeconds = 10;
const storeRetrySeconds = 1;
const Id = '6f2c1a90-4a3d-4c58-9a55-1f0f7b7a2c11';

/**
 * The call of `Crm.track` (docs/reference/decisions.md 8). No request names the player: the event always belongs to the caller.
 */
export const trackEvent = endpoint(
  {
    name: 'trackEvent',
    method: 'POST',
    path: '/Crm/Events',
    tag: 'Functions of the script',
    summary: 'Record an event of the player',
    description:
      'Records a site event, which campaigns and segments can use. It never counts as a custom event of the operator. The answer is sent after the event is durable. After a 503, retry with the same Id. The time of the event is when the platform first received it.',
    may: 'player',
    siteFunction: 'tracking',
    // Enough for an event with each click, and for many events when a page opens.
    playerLimit: { burst: 60, per_second: 1 },
    brandLimit: ({ site_functions: { tracked_per_second: per_second } }) => ({
      burst: per_second * brandBurstSeconds,
      per_second,
    }),
    body: trackRequest,
    bodyShown: {
      name: 'TrackRequest',
      samples: { viewed: { Name: 'promotion_viewed', Data: { promotion: 'spring', position: 2 }, Id } },
    },
    answer: trackResult,
    answerShown: { name: 'TrackAnswer', sample: { Id }, means: 'The event is stored durably.' },
    refusals: [wrongBody],
  },
  async ({ caller, body }, { ingest, pool, clock: now }) => {
    const tracked = await track({ ...ingest, pool, now }, caller, body);
    if (tracked.outcome === 'refused') throw new SiteRefusal('invalid_request', { message: tracked.why });
    if (tracked.outcome === 'away') throw new SiteRefusal('unavailable', { retryAfterSeconds: storeRetrySeconds });
    return { Id: tracked.event_id };
  },
);
