import { consentRequest, consentState, playerProfile } from '@croupier/contracts';
import { UnknownPlayer } from '../../operator/writeback/index.ts';
import { wrongBody } from '../api/documented-answers.ts';
import { endpoint } from '../api/endpoint.ts';
import { SiteRefusal } from '../api/envelope.ts';
import { consentTypeOf, readProfile, setConsent } from './consents.ts';

/* The calls of `Crm.profile` and `setConsent` (docs/reference/decisions.md 8). No request names the player. */

const tag = 'Functions of the script';

export const getProfile = endpoint(
  {
    name: 'getProfile',
    method: 'GET',
    path: '/Crm/Profile',
    tag,
    summary: "The player's consents",
    may: 'player',
    siteFunction: 'profile',
    playerLimit: { burst: 60, per_second: 2 },
    answer: playerProfile,
    answerShown: {
      name: 'ProfileAnswer',
      sample: { UserId: 51, Consents: [{ Type: 'Email', OptedIn: true, AsOf: '2026-03-02 14:00:00' }] },
      means: 'One entry for each type of the interface.',
    },
  },
  ({ caller }, { pool }) => readProfile(pool, caller),
);

export const setOneConsent = endpoint(
  {
    name: 'setConsent',
    method: 'POST',
    path: '/Crm/Consent',
    tag,
    summary: 'Change a consent of the player',
    description: 'Every decision after the answer uses the new value. It is also sent to the operator.',
    may: 'player',
    siteFunction: 'profile',
    // Each change is a call to the operator.
    playerLimit: { burst: 10, per_second: 0.2 },
    body: consentRequest,
    bodyShown: { name: 'ConsentRequest', samples: { withdraw: { Type: 'Email', OptedIn: false } } },
    answer: consentState,
    answerShown: {
      name: 'ConsentAnswer',
      sample: { Type: 'Email', OptedIn: false, AsOf: '2026-03-02 14:00:00' },
      means: 'The new value.',
    },
    refusals: [wrongBody],
  },
  async ({ caller, body: { Type, OptedIn } }, { pool, clock: now }) => {
    const type = consentTypeOf(Type);
    if (type === undefined) throw new SiteRefusal('invalid_request', { message: 'Type is not a type of consent.' });
    await setConsent({ pool, now }, caller, { type, opted_in: OptedIn }).catch(whenErased);
    const { Consents } = await readProfile(pool, caller);
    return Consents.find((consent) => consent.Type === type) ?? { Type: type, OptedIn, AsOf: null };
  },
);

/** The player was erased between the check of the session and the change, so the session no longer exists. */
function whenErased(error: unknown): never {
  throw error instanceof UnknownPlayer ? new SiteRefusal('session_ended') : error;
}
