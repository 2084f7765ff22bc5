import type { Installation, InstallationOptions } from './installation/installation.ts';
import type { Outcome } from './outcome.ts';

/** The parameters of a scenario. */
export interface Run {
  /** The same seed gives the same traffic and the same faults in the same order. */
  seed: string;
  /** How long faults and load last; a scenario that needs a certain time sets it itself. */
  seconds: number;
  /** Prints progress for a person. */
  say(line: string): void;
  /**
   * The factor for limits of latency. It is 1 on a quiet machine that we have to ourselves. It is larger in the short form,
   * which runs on any machine and must distinguish a platform that has stopped from one that shares the machine.
   */
  allowance: number;
  /** Starts the installation of the scenario; its log is shown if a promise is broken. */
  start(options?: InstallationOptions): Promise<Installation>;
  /** Aborts if the run is cancelled. */
  signal?: AbortSignal;
}

/** One kind of fault, and the promises that must hold despite it. */
export interface Scenario {
  name: string;
  /** What the faults are, in one sentence. */
  story: string;
  /** The short form, which checks each change (`--short`); absent if the scenario takes too long for that. */
  short?: {
    seconds: number;
    /** Minimum counts by name, for each run that is at least this long. If a count is lower, the run did not test anything. */
    least: Readonly<Record<string, number>>;
  };
  run(run: Run): Promise<Outcome[]>;
}
