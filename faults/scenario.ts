import type { Outcome } from './outcome.ts';

/** What a scenario is given. */
export interface Run {
  /** The same seed gives the same traffic and the same faults in the same order. */
  seed: string;
  /** How long faults and load go on; a scenario that needs a certain time says so itself. */
  seconds: number;
  /** For a person who watches. */
  say(line: string): void;
  /**
   * What limits of latency are multiplied by. 1 where the machine is ours alone; more where others work on it at the same
   * time, as in `npm test`, which must tell a platform that stands still from one that has to share.
   */
  allowance: number;
  /** A migrated PostgreSQL of the caller's, which is not to be hurt; absent: one of the installation's own, which takes seconds to make. */
  databaseUrl?: string | undefined;
  /** The run was called off. */
  signal?: AbortSignal;
}

/** One way of making trouble, and the promises that must hold in spite of it. */
export interface Scenario {
  name: string;
  /** What is done to the platform, in a sentence. */
  story: string;
  run(run: Run): Promise<Outcome[]>;
}
