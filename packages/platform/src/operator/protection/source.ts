/**
 * Where a fact about consents and blocks comes from. A look-up that an event caused is a look-up like any other; the
 * further sources write through this stage as they are built.
 */
export type FactSource = 'look_up' | 'reconciliation' | 'unsubscribe' | 'site' | 'staff';
