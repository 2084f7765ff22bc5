import { useText } from '../text/text.tsx';
import { useCountry } from '../ui/country.ts';
import type { Column } from '../ui/list.tsx';

interface NamedPlayer {
  first_name: string | null;
  last_name: string | null;
  country: string | null;
}

/** The columns of a list of players that say who they are. The platform masks the name for roles that may not see it. */
export function usePlayerColumns(): Readonly<Record<'name' | 'country', Column<NamedPlayer>>> {
  const { players, common } = useText();
  const countryOf = useCountry();
  return {
    name: {
      title: common.name,
      show: ({ first_name, last_name }) => [first_name, last_name].filter(Boolean).join(' ') || common.none,
    },
    country: { title: players.country, show: ({ country }) => (country === null ? common.none : countryOf(country)) },
  };
}
