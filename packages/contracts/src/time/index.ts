/** Zones and days: what rules need of this package, so that browsers load no more. */
export * from './days.ts';
export * from './zones.ts';
