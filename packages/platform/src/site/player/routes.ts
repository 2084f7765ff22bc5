import {
  type ClaimResult,
  type ConsentState,
  claimRequest,
  consentRequest,
  type TrackResult,
  trackRequest,
  validator,
} from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { UnknownPlayer } from '../../operator/writeback/index.ts';
import type { SiteDeps } from '../api/deps.ts';
import { SiteRefusal } from '../api/envelope.ts';
import { bodyOf, signedIn } from '../api/route.ts';
import type { Caller } from '../session/caller.ts';
import { consentTypeOf, readProfile, setConsent } from './consents.ts';
import { PlayerLimits } from './limits.ts';
import { claimReward, pendingRewards } from './rewards.ts';
import { track } from './track.ts';

const storeRetrySeconds = 1;
const bodies = {
  track: validator(trackRequest),
  claim: validator(claimRequest),
  consent: validator(consentRequest),
};

/**
 * What `Crm.track`, `pendingRewards`, `claimReward`, `profile` and `setConsent` call (docs/reference/decisions.md 8). Whose events, rewards and
 * consents they are is nowhere in a request: it is the caller's, always.
 */
export function playerRoutes(app: FastifyInstance, deps: SiteDeps): void {
  const { pool, clock: now, gate } = deps;
  const limits = new PlayerLimits(now);

  signedIn(app, deps, {
    method: 'POST',
    path: '/Crm/Events',
    async handler(caller, request): Promise<TrackResult> {
      allow(caller, 'tracking');
      limits.take(caller, 'track');
      const event = bodyOf(request, bodies.track);
      const tracked = await track({ ...deps.ingest, pool, now }, caller, event);
      if (tracked.outcome === 'refused') throw new SiteRefusal('invalid_request', { message: tracked.why });
      if (tracked.outcome === 'away') throw new SiteRefusal('unavailable', { retryAfterSeconds: storeRetrySeconds });
      return { Id: tracked.event_id };
    },
  });

  signedIn(app, deps, {
    method: 'GET',
    path: '/Crm/PendingRewards',
    async handler(caller) {
      allow(caller, 'rewards');
      limits.take(caller, 'read');
      return pendingRewards(pool, caller, now());
    },
  });

  signedIn(app, deps, {
    method: 'POST',
    path: '/Crm/ClaimReward',
    async handler(caller, request): Promise<ClaimResult> {
      allow(caller, 'rewards');
      limits.take(caller, 'claim');
      const { Id } = bodyOf(request, bodies.claim);
      const verdict = await claimReward({ pool, gate, now }, caller, Id);
      if (verdict !== 'claimed' && verdict !== 'credited') throw new SiteRefusal(verdict);
      return { Id, State: verdict };
    },
  });

  signedIn(app, deps, {
    method: 'GET',
    path: '/Crm/Profile',
    async handler(caller) {
      allow(caller, 'profile');
      limits.take(caller, 'read');
      return readProfile(pool, caller);
    },
  });

  signedIn(app, deps, {
    method: 'POST',
    path: '/Crm/Consent',
    async handler(caller, request): Promise<ConsentState> {
      allow(caller, 'profile');
      limits.take(caller, 'consent');
      const { Type, OptedIn } = bodyOf(request, bodies.consent);
      const type = consentTypeOf(Type);
      if (type === undefined)
        throw new SiteRefusal('invalid_request', { message: 'Type is none of the types of consent.' });
      await setConsent({ pool, now }, caller, { type, opted_in: OptedIn }).catch(whenErased);
      const { Consents } = await readProfile(pool, caller);
      return Consents.find((consent) => consent.Type === type) ?? { Type: type, OptedIn, AsOf: null };
    },
  });
}

function allow({ brand }: Caller, group: 'tracking' | 'rewards' | 'profile'): void {
  if (!brand.settings.site_functions[group]) throw new SiteRefusal('function_off');
}

/** Erased between the check of the session and the change: nobody is signed in any more. */
function whenErased(error: unknown): never {
  throw error instanceof UnknownPlayer ? new SiteRefusal('session_ended') : error;
}
