import type { ClaimResult, ConsentState, PlayerProfile, Reward, TrackResult } from '@croupier/contracts/site';
import type { Call } from './http.ts';

/*
 * The calls of `Crm.track`, `pendingRewards`, `claimReward`, `profile` and `setConsent` (docs/reference/decisions.md 8). All
 * reject with a SiteError.
 */

const post = <T>(call: Call, path: string, body: unknown, keepalive = false) =>
  call<T>('POST', `Crm/${path}`, { body, keepalive });

/** Resolves when the event is durable. */
export const track = (call: Call, Name: string, Data?: Record<string, unknown>) =>
  // All tries of one call have the same id, so they count as one event. The call must continue after the page is
  // closed, because the player's click may open another page.
  post<TrackResult>(call, 'Events', { Name, Data, Id: newId() }, true);

export const pendingRewards = (call: Call) => call<Reward[]>('GET', 'Crm/PendingRewards');

/** Claims a reward. Claiming it again has no effect. */
export const claimReward = (call: Call, Id: string) => post<ClaimResult>(call, 'ClaimReward', { Id });

export const profile = (call: Call) => call<PlayerProfile>('GET', 'Crm/Profile');

export const setConsent = (call: Call, Type: string, OptedIn: boolean) =>
  post<ConsentState>(call, 'Consent', { Type, OptedIn });

/** Returns a random id. crypto.randomUUID is not used, because it is available on https pages only. */
function newId(): string {
  return crypto.getRandomValues(new Uint32Array(5)).join('-');
}
