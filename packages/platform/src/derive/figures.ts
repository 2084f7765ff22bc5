/** Exports for code that reads sums of a player or a brand: traits and their windows, and roll-ups of a brand. */

export { isActiveBonus } from './families/bonuses/index.ts';
export { lastCartSql } from './families/carts/index.ts';
export { allTotals } from './families/index.ts';
export { reportedMessages } from './families/message-events/index.ts';
export { biggestWinSql } from './families/rounds/index.ts';
export { readRollups } from './rollups/index.ts';
export {
  daysOf,
  hoursOf,
  type Measures,
  type Ranking,
  readWindow,
  type TotalsSpec,
  usualWindows,
  type Window,
  windowName,
  windowsInWords,
} from './totals/index.ts';
export {
  type Column,
  columnsOf,
  evaluate as evaluateFormula,
  type Formula,
  favoriteWindows,
  kindsOfTrait,
  type MessageCounts,
  personalTraits,
  placeOf,
  readTraits,
  type StartError,
  startTraits,
  type Trait,
  type TraitKind,
  type TraitReading,
  type TraitSource,
  traitCatalog,
  traitChapters,
  traitNames,
  type Unit,
} from './traits/index.ts';
