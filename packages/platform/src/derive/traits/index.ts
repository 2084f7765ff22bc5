export { personalTraits, type TraitChapter, traitCatalog, traitChapters } from './catalog.ts';
export { type Column, columnsOf, evaluate, type Formula, placeOf } from './formula.ts';
export { kindsOfTrait } from './kinds.ts';
export { favoriteWindows, readTraits, type TraitReading, traitNames } from './read.ts';
export { type StartError, type StartingPlayer, startTraits } from './start.ts';
export type { MessageCounts, Trait, TraitKind, TraitSource, TraitValue, TraitWindows, Unit } from './trait.ts';
