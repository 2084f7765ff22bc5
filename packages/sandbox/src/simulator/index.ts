/** Public exports of the simulator. */
export type { CasinoBrand } from './casino.ts';
export { duplicated, shuffled } from './disorder.ts';
export { destinations, type Label, labels, type Message } from './message.ts';
export { defaultQuirks, noQuirks, type QuirkName, type Quirks } from './quirks.ts';
export { createSimulation, type Simulation, type SimulationOptions } from './simulation.ts';
export type { BetTotals, BetTruth } from './truth/bet-book.ts';
export type { BonusTotals, BonusTruth } from './truth/bonus-book.ts';
export type { CartTotals, CartTruth } from './truth/cart-book.ts';
export type { LoginTruth } from './truth/login-book.ts';
export type { LotteryTotals, PurchaseTruth, TicketTruth } from './truth/lottery-book.ts';
export type { BalanceTruth } from './truth/notice-book.ts';
export type { PaymentTotals, PaymentTruth } from './truth/payment-book.ts';
export type { ProductTotals } from './truth/product-totals.ts';
export type { RoundTruth } from './truth/round-book.ts';
export type { SessionTruth } from './truth/sessions.ts';
export type { PlayerTruth, Truth } from './truth/truth.ts';
