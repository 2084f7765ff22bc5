import { useQuery } from '@tanstack/react-query';
import { useBrand } from '../../ui/page.tsx';
import { bonusListQuery } from './queries.ts';

/**
 * Returns a function from the code of a bonus to its title in the operator's list, followed by the code, for example
 * `Ten free spins (TEN)`. It returns undefined if the list has no such bonus, or only its code as the title.
 *
 * @param isUsed whether to load the list
 */
export function useTitleOfBonus(isUsed: boolean): (code: string) => string | undefined {
  const list = useQuery({ ...bonusListQuery(useBrand()), enabled: isUsed, refetchInterval: false });
  return (code) => {
    const title = list.data?.bonuses.find(({ bonus_code }) => bonus_code === code)?.text;
    return title === undefined || title === code ? undefined : `${title} (${code})`;
  };
}
