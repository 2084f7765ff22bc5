import type { ConsoleDeps } from '../../deps.ts';
import { relyingPartyOf } from './relying-party.ts';
import type { FactorDeps } from './second-factor.ts';
import { Tickets } from './ticket.ts';

export interface SecondFactorDeps extends FactorDeps {
  tickets: Tickets;
}

export function secondFactorDeps({ pool, clock, push: { vault }, publicUrl }: ConsoleDeps): SecondFactorDeps {
  return { pool, clock, vault, relyingParty: relyingPartyOf(publicUrl), tickets: new Tickets(vault) };
}
