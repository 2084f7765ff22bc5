import type { ClaimResult, ConsentState, PlayerProfile, Reward, TrackResult } from '@croupier/contracts/site';
import type { Call } from './http.ts';

/** What `Crm.track`, `pendingRewards`, `claimReward`, `profile` and `setConsent` ask for (decisions.md 8). All reject with a SiteError. */
export interface PlayerCalls {
  /** Resolves when the event is durable. */
  track(name: string, data?: Record<string, unknown>): Promise<TrackResult>;
  pendingRewards(): Promise<Reward[]>;
  /** Claiming again is harmless. */
  claimReward(id: string): Promise<ClaimResult>;
  profile(): Promise<PlayerProfile>;
  setConsent(type: string, optedIn: boolean): Promise<ConsentState>;
}

export function createPlayerCalls(call: Call): PlayerCalls {
  const post = <T>(path: string, body: unknown, keepalive = false) =>
    call<T>('POST', `Crm/${path}`, { body, keepalive });
  return {
    // The id makes the tries of one call one event; the events of a click that leaves the page must outlive it.
    track: (Name, Data) => post('Events', { Name, Data, Id: newId() }, true),
    pendingRewards: () => call('GET', 'Crm/PendingRewards'),
    claimReward: (Id) => post('ClaimReward', { Id }),
    profile: () => call('GET', 'Crm/Profile'),
    setConsent: (Type, OptedIn) => post('Consent', { Type, OptedIn }),
  };
}

/** crypto.randomUUID exists on https pages only. */
function newId(): string {
  return crypto.getRandomValues(new Uint32Array(5)).join('-');
}
