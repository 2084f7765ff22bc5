import { expect } from 'vitest';
import type { Outcome } from '../faults/outcome.ts';
import type { Scenario } from '../faults/scenario.ts';

/** Other tests run on the same two cores; a platform that stood still would be late by far more. */
const allowance = 4;

/**
 * Plays a scenario of the fault runs in its short form, by a seed that never changes, and expects every promise to be kept.
 *
 * @param databaseUrl of a database of the tests, for scenarios that leave PostgreSQL alone
 */
export async function expectKept(
  scenario: Scenario,
  seconds: number,
  databaseUrl?: string,
): Promise<readonly Outcome[]> {
  const said: string[] = [];
  const outcomes = await scenario.run({ seed: 'e2e', seconds, allowance, databaseUrl, say: (line) => said.push(line) });
  const broken = outcomes.filter(({ kept }) => !kept);
  expect(broken, said.join('\n')).toEqual([]);
  return outcomes;
}

/** A figure of one of the outcomes. */
export function figure(outcomes: readonly Outcome[], name: string): number {
  const found = outcomes.find(({ counts }) => name in counts)?.counts[name];
  if (found === undefined) throw new Error(`nothing was measured as ${name}`);
  return found;
}
