/** Front door of the scenarios; see README.md. */
export { type DryRun, type DryRunDeps, dryRun } from './dry-run/dry-run.ts';
export { readScenarios } from './read.ts';
export { runScenario, type ScenarioResult } from './run.ts';
export { type PlayerState, type Scenario, type ScenarioStep, scenarioSchema } from './scenario.ts';
export { ScenarioError } from './scenario-error.ts';
export { ScenarioRunner, scratchUrl } from './scratch-database.ts';
export { describeTimeline } from './text.ts';
export type { TimelineEntry, TimelineLine } from './timeline.ts';
