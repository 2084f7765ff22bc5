import type { Scenario } from '../scenario.ts';
import { behind } from './behind.ts';
import { bonuses, bonusesIdempotent } from './bonuses.ts';
import { campaigns } from './campaigns.ts';
import { heldTransactions } from './held-transactions.ts';
import { kill, killSeveral } from './kill.ts';
import { neighbors } from './neighbors.ts';
import { protection } from './protection.ts';
import { site } from './site.ts';
import { stoppedWorker } from './stopped-worker.ts';
import { truth } from './truth.ts';
import { wrongClock } from './wrong-clock.ts';

/** All scenarios, in the order in which they run if none is named. */
export const scenarios: readonly Scenario[] = [
  kill,
  killSeveral,
  stoppedWorker,
  wrongClock,
  heldTransactions,
  truth,
  neighbors,
  bonuses,
  bonusesIdempotent,
  protection,
  behind,
  campaigns,
  site,
];
