import type { Installation, InstallationOptions } from './installation/installation.ts';
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
   * What limits of latency are multiplied by. 1 where the machine is ours alone and quiet; more in the short form, which runs on any
   * machine and must tell a platform that stands still from one that has to share.
   */
  allowance: number;
  /** Starts what the scenario makes trouble for; its log is shown when a promise is broken. */
  start(options?: InstallationOptions): Promise<Installation>;
  /** The run was called off. */
  signal?: AbortSignal;
}

/** One way of making trouble, and the promises that must hold in spite of it. */
export interface Scenario {
  name: string;
  /** What is done to the platform, in a sentence. */
  story: string;
  /** The form that each change is held against (`--short`); absent: too long for that. */
  short?: {
    seconds: number;
    /** By the name of what is counted: less, and the run did not do what it is for. */
    least: Readonly<Record<string, number>>;
  };
  run(run: Run): Promise<Outcome[]>;
}
