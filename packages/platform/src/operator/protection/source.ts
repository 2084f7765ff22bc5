/**
 * The source of a fact about consents and blocks. A look-up that an event requested counts as an ordinary look-up. Every source
 * writes through this stage.
 */
export type FactSource = 'look_up' | 'reconciliation' | 'unsubscribe' | 'site' | 'staff';
