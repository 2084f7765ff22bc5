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
export { Provider as SingleSignOnProvider } from './accounts/single-sign-on/provider.ts';
export type { Account } from './accounts/store.ts';
export { consoleRoutes } from './api.ts';
export { AuditSealer } from './audit/sealer.ts';
export { type AuditChainReport, verifyAudit } from './audit/verify.ts';
export type { ConsoleDeps } from './deps.ts';
export { consoleOpenApi } from './openapi.ts';
export { consolePage, consolePath } from './page/page-routes.ts';
