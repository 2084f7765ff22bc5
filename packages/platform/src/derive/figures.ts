/** For those who read what a player, or a brand, adds up to: traits and their windows, days of a brand. */
export { readRollups } from './rollups/index.ts';
export { readWindow, usualWindows, type Window, windowsInWords } from './totals/index.ts';
export { personalTraits, readTraits, type TraitReading, traitCatalogue, traitChapters } from './traits/index.ts';
