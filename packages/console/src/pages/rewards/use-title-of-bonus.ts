import { useQuery } from '@tanstack/react-query';
import { useBrand } from '../../ui/page.tsx';
import { bonusListQuery } from './queries.ts';

/**
 * Returns a function that returns the title of a bonus in the operator's list with its code, for example
 * `Ten free spins (TEN)`; undefined if the list does not contain it. @param isUsed whether to load the list
 */
export function useTitleOfBonus(isUsed: boolean): (code: string) => string | undefined {
  const list = useQuery({ ...bonusListQuery(useBrand()), enabled: isUsed, refetchInterval: false });
  return (code) => {
    const title = list.data?.bonuses.find(({ bonus_code }) => bonus_code === code)?.text;
    return title === undefined || title === code ? undefined : `${title} (${code})`;
  };
}
