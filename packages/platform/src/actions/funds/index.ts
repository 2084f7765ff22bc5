/** Credited funds on their way into the ledger. See README.md. */
export { FundsPublisher } from './funds-publisher.ts';
export { listWaitingFunds, type WaitingFunds } from './funds-store.ts';
