/** Public interface of the stage bulk; see README.md. */
export {
  type ActionState,
  actionStates,
  type BulkAction,
  campaignOf,
  type Does,
  defaultPerSecond,
  mostPerSecond,
  type PlayerState,
  playerStates,
} from './action.ts';
export { type BulkOrder, BulkRefused, cancelBulk, type Ordered, orderBulk, usableAudience } from './order.ts';
export {
  actionsUnderWay,
  type ListedAction,
  listActions,
  listReached,
  type ReachedPlayer,
} from './reading.ts';
export { BulkRunner, type BulkRunnerOptions } from './runner.ts';
