import { To } from './to.tsx';
import { useNumber } from './values.tsx';

/** A number that links to the list of what it counts. Zero has no link, because its list is empty. */
export function NumberLink({ of, ...link }: { of: number; to: string; search?: Record<string, string> }) {
  const number = useNumber();
  return of === 0 ? number(of) : <To {...link}>{number(of)}</To>;
}
