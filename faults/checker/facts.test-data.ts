import { createSimulation, type PlayerTruth } from '@croupier/sandbox';

/** The facts of a player who has just registered, as in the casino's records: empty lists and zero totals. */
export function noFacts(): PlayerTruth {
  const simulation = createSimulation({ players: 1, quirks: { unregistered: 0 } });
  const { user_id } = simulation.next();
  simulation.close();
  const told = simulation.truth.player(user_id);
  if (told === undefined) throw new Error('the simulation published events of a player that it does not know');
  return told;
}
