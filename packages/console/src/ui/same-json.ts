import { hashKey } from '@tanstack/react-query';

/** Returns whether two values are the same JSON. The order of the fields makes no difference. Pure. */
export const isSameJson = (one: unknown, other: unknown): boolean =>
  one === other || hashKey([one]) === hashKey([other]);
