export { traitCatalogue } from './catalogue.ts';
export { readTraits, type TraitReading } from './read.ts';
export type { Trait, TraitValue, Unit } from './trait.ts';
