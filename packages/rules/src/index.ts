/**
 * The rules of segments, audiences, entries, branches, waits and goals: one tree with two implementations (`evaluate`
 * for one player, `compileToSql` for all), with its checks, its sentence, its hash and its dependencies. Also runs in
 * browsers. See README.md.
 */
export { dayOf, daysBetween, momentText, nextMidnight, plusDays, plusYears, startOfDay } from './calendar.ts';
export { checkRule, eachCondition, type RuleError } from './check.ts';
export {
  type CompiledConditions,
  type CompiledRule,
  type CompileOptions,
  combineConditions,
  compileConditions,
  compileToSql,
  type FactSource,
  neverChanges,
  type Rowless,
  type SqlSource,
} from './compile-to-sql.ts';
export { type Dependencies, dependenciesOf } from './dependencies.ts';
export { readDuration } from './duration.ts';
export { answerOf, type EvaluateOptions, type Evaluation, evaluate, ruleHolds, type TraceRow } from './evaluate.ts';
export type { Catalog, FactKind, Field } from './field.ts';
export { hashOf } from './hash.ts';
export { type Operator, operatorsOf } from './operators/index.ts';
export type { FactRow, PlayerView } from './player-view.ts';
export { type Comparison, type Did, type Group, isDid, isGroup, type Rule, type RuleNode, ruleSchema } from './rule.ts';
export { conditionsOf, sentenceOf } from './sentence.ts';
export { SqlWriter } from './sql-writer.ts';
export { type FieldKind, fieldKinds, type Reading, type Value } from './value.ts';
