import type { Micros } from '@croupier/contracts';
import type { Brand } from '../../brands/index.ts';
import { allows, type Grant, type Permission, reaches } from './roles.ts';

/** How long a proof of identity is valid for changes of how accounts sign in. */
export const freshMicros: Micros = 15 * 60 * 1_000_000;

/** The fields of a call's session that decisions need. */
export interface CallingSession {
  session_id: number;
  /** When the owner last proved their identity. */
  proven_at: Micros;
  signed_in_by: 'password' | 'single_sign_on';
  second_factor: boolean;
  /** Brands at which a second factor is required. If null is among them, every brand requires it. */
  second_factor_at: readonly (number | null)[];
}

/** The caller and its permissions. Created once per request, used by the guard and by the handlers. */
export class Access {
  /** Null for the automation token. */
  readonly account_id: number | null;
  /** Null for the automation token. */
  readonly session: CallingSession | null;
  /** How the audit names the caller: the account's e-mail, or `admin token`. */
  readonly actor: string;
  readonly grants: readonly Grant[];

  constructor(caller: {
    account_id: number | null;
    session: CallingSession | null;
    actor: string;
    grants: readonly Grant[];
  }) {
    this.account_id = caller.account_id;
    this.session = caller.session;
    this.actor = caller.actor;
    this.grants = caller.grants;
  }

  /** If false, the API answers that the brand does not exist. */
  reaches(brand: Brand): boolean {
    return reaches(this.grants, brand);
  }

  may(permission: Permission, brand: Brand | null): boolean {
    return allows(this.grants, permission, brand);
  }

  /**
   * True if the session has no second factor and needs one at the brand. Calls that belong to no brand need one as soon as any brand does.
   * Otherwise a session without one could create accounts and assign roles.
   */
  lacksSecondFactor(brand: Pick<Brand, 'brand_id'> | null): boolean {
    if (this.session === null || this.session.second_factor) return false;
    const { second_factor_at: required } = this.session;
    return brand === null ? required.length > 0 : required.includes(null) || required.includes(brand.brand_id);
  }
}

/** `CROUPIER_ADMIN_TOKEN`: all permissions at every brand, for automation (docs/reference/design.md 6). */
export const automation = new Access({
  account_id: null,
  session: null,
  actor: 'admin token',
  grants: [{ brand_id: null, role: 'admin' }],
});
