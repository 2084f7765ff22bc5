/** Public exports of the fake operator. */
export type { OperatorAuth } from './auth.ts';
export type { Books, BooksChange, Credit, PlayerChanges, WriteBack } from './books.ts';
export { createBooks } from './books.ts';
export type { Call, Calls } from './calls.ts';
export {
  type Delay,
  type Dial,
  type Dials,
  type EndpointName,
  endpoints,
  type Fault,
  type WrongShape,
} from './dials.ts';
export { createOperator, type Operator, type OperatorOptions } from './operator.ts';
export { defaultOrigin, makePlayer } from './person.ts';
export type {
  BlockItem,
  BonusOffer,
  ConsentItem,
  OperatorPlayer,
  ReconciliationField,
  UserDetails,
  Wallet,
} from './records.ts';
export { consentTypes, reconciliationFields } from './records.ts';
export { referencesIn } from './references.ts';
export { type SandboxOperator, type StartOptions, startSandboxOperator } from './start.ts';
