/** Publication of credited funds to the ledger. See README.md. */
export { FundsPublisher } from './funds-publisher.ts';
export { listWaitingFunds, type WaitingFunds } from './funds-store.ts';
