export { enterLiveAlone } from './apply/batch.ts';
export type { ConsumedEvent, DeriveConsumer, DerivedBatch, TooOldUpdate } from './consumer.ts';
export { eraseDerived, withoutRebuilds } from './erasure/index.ts';
export { type DerivedEvent, fingerprintOf } from './event.ts';
export { type ListedBalance, listBalances } from './families/balances/index.ts';
export {
  type BonusEvent,
  type BonusFilter,
  type BonusPlace,
  type ListedBonus,
  listBonuses,
} from './families/bonuses/index.ts';
export { type CartFilter, type CartPlace, type ListedCart, listCarts } from './families/carts/index.ts';
export { type GameFilter, type ListedGame, type ListedVendor, listGames, listVendors } from './families/games/index.ts';
export { derivedTables, rollupTables } from './families/index.ts';
export {
  type DrawFilter,
  type DrawPlace,
  type ListedDraw,
  type ListedTicket,
  listDraws,
  listTickets,
  type TicketFilter,
  ticketStates,
} from './families/lottery/index.ts';
export {
  type ListedNamedEvent,
  listNamedEvents,
  type NamedEventFilter,
  type NamedKind,
} from './families/named-events/index.ts';
export { type ListedPayment, listPayments, type PaymentEvent, type PaymentFilter } from './families/payments/index.ts';
export {
  countUnpriced,
  endlessRound,
  type ListedBrandRound,
  type ListedRound,
  listBrandRounds,
  listRounds,
  mostUnpriced,
  type Partners,
  type RoundFilter,
  roundPartners,
  roundSources,
  roundStatuses,
} from './families/rounds/index.ts';
export {
  type ListedSession,
  listSessions,
  type SessionFilter,
  type SessionPlace,
  sessionScopes,
} from './families/sessions/index.ts';
export {
  type BetFilter,
  type BetSelection,
  type BetState,
  betStates,
  type ListedActivity,
  type ListedBet,
  listBets,
} from './families/sports/index.ts';
export {
  delayBounds,
  type FeedSummary,
  feedMinutesSince,
  feedSummary,
  lastReceived,
} from './feed/index.ts';
export {
  countTooOld,
  type HistoryRound,
  HistoryUpkeep,
  type HistoryUpkeepOptions,
  importTooOld,
  listTooOld,
  readSealedDays,
  type SealedDay,
  type TooOldEvent,
  type TooOldFilter,
} from './history/index.ts';
export {
  deleteEntries,
  entriesAt,
  type JournalEntry,
  type JournalFilter,
  type JournalPage,
  journalDaysKept,
  journalKept,
  marksOf,
  notedEntries,
  positionName,
  timeline,
} from './journal/index.ts';
export type { DeriveStatus } from './lane.ts';
export { metFact } from './met.ts';
export { type FactWord, factWords, type MetFact } from './met-fact.ts';
export { type ListedParking, listParked, parkedCounts } from './parking/index.ts';
export { playersAwaitingUpdate } from './players/awaiting.ts';
export { PlayerCreator } from './players/create.ts';
export { readLedgerEvent } from './read.ts';
export * from './rebuild/index.ts';
export * from './rollups/index.ts';
export { joinHash, type StateHash, stateHashes } from './state-hash.ts';
export { readWindow, usualWindows, type Window, windowName } from './totals/index.ts';
export * from './traits/index.ts';
export { DeriveUpkeep } from './upkeep.ts';
export { type Verdict, verdicts } from './verdict.ts';
export { DeriveWorker, type DeriveWorkerOptions } from './worker.ts';
