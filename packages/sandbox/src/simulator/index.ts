/** Front door of the simulator. */
export type { CasinoBrand } from './casino.ts';
export { duplicated, shuffled } from './disorder.ts';
export { destinations, type Label, labels, type Message } from './message.ts';
export { defaultQuirks, noQuirks, type QuirkName, type Quirks } from './quirks.ts';
export { createSimulation, type Simulation, type SimulationOptions } from './simulation.ts';
export type { LoginTruth } from './truth/login-book.ts';
export type { PaymentTotals, PaymentTruth } from './truth/payment-book.ts';
export type { PlayerTruth, Truth } from './truth/truth.ts';
