import type { Brand } from '../../brands/index.ts';
import { allows, type Grant, type Permission, reaches } from './roles.ts';

/** The caller and its permissions. Created once per request, used by the guard and by the handlers. */
export class Access {
  /** Null for the automation token. */
  readonly account_id: number | null;
  /** Null for the automation token. */
  readonly session_id: number | null;
  /** How the audit names the caller: the account's e-mail, or `admin token`. */
  readonly actor: string;
  readonly grants: readonly Grant[];

  constructor(caller: {
    account_id: number | null;
    session_id: number | null;
    actor: string;
    grants: readonly Grant[];
  }) {
    this.account_id = caller.account_id;
    this.session_id = caller.session_id;
    this.actor = caller.actor;
    this.grants = caller.grants;
  }

  /** If false, the caller is told that the brand does not exist. */
  reaches(brand: Brand): boolean {
    return reaches(this.grants, brand);
  }

  may(permission: Permission, brand: Brand | null): boolean {
    return allows(this.grants, permission, brand);
  }
}

/** `CROUPIER_ADMIN_TOKEN`: all permissions at every brand, for automation (docs/reference/design.md 6). */
export const automation = new Access({
  account_id: null,
  session_id: null,
  actor: 'admin token',
  grants: [{ brand_id: null, role: 'admin' }],
});
