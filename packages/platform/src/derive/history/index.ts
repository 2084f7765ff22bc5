export { countTooOld, importTooOld, listTooOld, type TooOldEvent, type TooOldFilter } from './import.ts';
export { readSealedDays, type SealedDay } from './store.ts';
export { type HistoryRound, HistoryUpkeep, type HistoryUpkeepOptions } from './upkeep.ts';
