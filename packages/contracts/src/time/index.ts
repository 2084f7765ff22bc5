/** Zones and days: the part of this package that rules need, so that browsers do not load the rest. */
export * from './days.ts';
export * from './zones.ts';
