/** The public interface of the ledger. Its implementation is behind postgres.ts, which only the wiring imports. */
export { ErasedPlayers, type ErasureKeys } from './erased-players.ts';
export { kindCode, kindOfCode } from './kind-codes.ts';
export * from './ledger.ts';
export {
  holdQuarantined,
  type QuarantinedUpdate,
  type SettledRow,
  settleProtection,
  takeNeverApplied,
} from './pending-protection.ts';
export { bucketOf, bucketOfId, playerHash } from './player-hash.ts';
