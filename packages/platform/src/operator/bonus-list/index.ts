/** The bonuses that operators offer. */
export { type BonusList, type BonusListState, BonusLists } from './bonus-lists.ts';
export type { OfferedBonus } from './judge-list.ts';
