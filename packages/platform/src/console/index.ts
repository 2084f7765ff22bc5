/** Public exports of the console that need no HTTP server; see README.md. `serving.ts` has the others. */
export type { Grant, Role } from './access/roles.ts';
export { roles } from './access/roles.ts';
export {
  AccountRefused,
  type Credentials,
  createFirstUser,
  createUser,
  disableUser,
  enableUser,
  listUsers,
  resetSecondFactors,
  setPassword,
} from './accounts/accounts.ts';
export type { Account } from './accounts/store.ts';
export { AuditSealer } from './audit/sealer.ts';
export { type AuditChainReport, verifyAudit } from './audit/verify.ts';
