import { Text } from '@mantine/core';
import { playerPage } from '../../text/player-page.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Money } from '../../ui/money.tsx';
import type { Column } from '../../ui/table/column.ts';
import { State } from '../../ui/values.tsx';

/** The sums of a round in one currency, as decimal text. */
interface Sums {
  bet: string;
  win: string;
  result: string;
  currency: string;
}

interface Round {
  round_id: string;
  game_id: string;
  game_name: string | null;
  vendor_id: string;
  vendor_name: string | null;
  status: string;
  /** Sums in the base currency of the brand. */
  base: Sums | null;
  /** Sums in the currency of the player. */
  user: Sums | null;
}

/** Returns the columns of every list of casino rounds: game, state, sums in the player's currency if it is known, and round. */
export function useRoundColumns(): Column<Round>[] {
  const { rounds: words } = useWords(playerPage);
  const { common } = useText();
  return [
    {
      title: words.game,
      show: ({ game_name, game_id, vendor_name, vendor_id }) => (
        <>
          {game_name ?? game_id}{' '}
          <Text span size="xs" c="dimmed">
            {vendor_name ?? vendor_id}
          </Text>
        </>
      ),
    },
    { title: common.state, show: ({ status }) => <State of={status} /> },
    {
      title: words.bet,
      align: 'right',
      show: ({ base, user }) => <Money of={(user ?? base)?.bet} currency={(user ?? base)?.currency} />,
    },
    {
      title: words.win,
      align: 'right',
      show: ({ base, user }) => <Money of={(user ?? base)?.win} currency={(user ?? base)?.currency} />,
    },
    {
      title: words.result,
      align: 'right',
      show: ({ base, user }) => <Money of={(user ?? base)?.result} currency={(user ?? base)?.currency} isResult />,
    },
    { title: words.round, show: ({ round_id }) => <span className="id">{round_id}</span> },
  ];
}
