/**
 * The source of a fact about consents and blocks. A look-up counts as an ordinary look-up even if an event requested it.
 * Every source writes through this stage.
 */
export type FactSource = 'look_up' | 'reconciliation' | 'unsubscribe' | 'site' | 'staff';
