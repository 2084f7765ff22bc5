/** Exports for code that shows what players did: the list of each family of facts, and the catalogs of a brand. */
export { listBalances } from './families/balances/index.ts';
export { type ListedBonus, listBonuses } from './families/bonuses/index.ts';
export { type ListedCart, listCarts } from './families/carts/index.ts';
export { listGames, listVendors, readGames } from './families/games/index.ts';
export { type ListedTicket, listDraws, listTickets, ticketStates } from './families/lottery/index.ts';
export { listNamedEvents, type NamedKind } from './families/named-events/index.ts';
export { type ListedPayment, listPayments } from './families/payments/index.ts';
export {
  countUnpriced,
  endlessRound,
  type ListedRound,
  listBrandRounds,
  listRounds,
  mostUnpriced,
  type NamedRound,
  readNamedRounds,
  roundPartners,
  roundSources,
  roundStatuses,
} from './families/rounds/index.ts';
export { type ListedSession, listSessions, sessionScopes } from './families/sessions/index.ts';
export { type BetSelection, betStates, type ListedBet, listBets } from './families/sports/index.ts';
