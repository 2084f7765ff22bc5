export {
  type BacktestDay,
  type BacktestEntry,
  type BonusPrices,
  backtestCounts,
  listBacktestEntries,
  progressOf,
  readBacktestDays,
  shareTried,
} from './reading.ts';
export { BacktestRunner } from './runner.ts';
export {
  type Backtest,
  backtestStates,
  countOpenBacktests,
  endBacktest,
  insertBacktest,
  readBacktests,
} from './store.ts';
