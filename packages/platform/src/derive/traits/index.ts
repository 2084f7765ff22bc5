export { personalTraits, type TraitChapter, traitCatalogue, traitChapters } from './catalogue.ts';
export { type Column, columnsOf, evaluate, type Formula, placeOf } from './formula.ts';
export { kindsOfTrait } from './kinds.ts';
export { favouriteWindows, readTraits, type TraitReading } from './read.ts';
export { type StartError, type StartingPlayer, startTraits } from './start.ts';
export type { MessageCounts, Trait, TraitKind, TraitSource, TraitValue, TraitWindows, Unit } from './trait.ts';
