/** Public exports of the scenarios; see README.md. */
export * from './backtest/index.ts';
export { brandSetup, segmentSetup, type TriedSegment } from './brand-setup.ts';
export { type CopiedPlayer, copyPlayer } from './copied-player.ts';
export { type DryRun, type DryRunDeps, dryRun } from './dry-run/dry-run.ts';
export { readScenarios } from './read.ts';
export { runScenario, type ScenarioResult, usualBody } from './run.ts';
export { kindOfEvent, type Scenario, type ScenarioStep, scenarioSchema } from './scenario.ts';
export { ScenarioError } from './scenario-error.ts';
export { ScenarioRunner, scratchUrl } from './scratch-database.ts';
export { describeTimeline } from './text.ts';
export type { TimelineEntry, TimelineLine } from './timeline.ts';
