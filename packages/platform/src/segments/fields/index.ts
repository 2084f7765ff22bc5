/**
 * Public interface of this folder: the fields of rules, and where their values are stored. See README.md.
 */
export { type BrandNames, type RuleBrand, readBrandNames } from './brand-names.ts';
export { type RuleCatalog, ruleCatalog } from './catalog.ts';
export type { Joins, Scope } from './joins.ts';
export { KnownValues } from './known-values.ts';
export { type ListedFact, type ListedField, listFacts, listFields } from './listing.ts';
export { type Memberships, noMemberships } from './memberships.ts';
export { needsOf, type RuleNeeds } from './needs.ts';
export { protectedPlayers } from './protection.ts';
export { type PlatformSource, sqlSource } from './source.ts';
export { type LoadedPlayer, type LoadOptions, loadPlayerViews } from './views.ts';
