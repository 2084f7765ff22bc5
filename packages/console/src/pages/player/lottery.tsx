import { api, bodyOf } from '../../api/client.ts';
import { playerPage } from '../../text/player-page.ts';
import { useText, useWords } from '../../text/text.tsx';
import { List, Rows } from '../../ui/list.tsx';
import { Money } from '../../ui/money.tsx';
import { Moment, State, useNumber } from '../../ui/values.tsx';
import type { OfPlayer } from './of-player.ts';

const refreshMs = 4_000;

/** Tickets with their lines. */
export function Lottery({ brand, userId }: OfPlayer) {
  const { lottery: words } = useWords(playerPage);
  const { common } = useText();
  const number = useNumber();
  return (
    <List
      name={[brand, 'player', userId, 'tickets']}
      refreshMs={refreshMs}
      read={(cursor) =>
        bodyOf(
          api.GET('/api/console/v1/brands/{brand}/players/{user_id}/tickets', {
            params: { path: { brand, user_id: userId }, query: cursor ? { cursor } : {} },
          }),
        )
      }
      keyOf={({ ticket_id, transaction_id, draw_id, timestamp }) =>
        [ticket_id, transaction_id, draw_id, timestamp].join(' ')
      }
      empty={words.none}
      detail={({ lines }) => (
        <Rows
          items={lines}
          keyOf={(line) => JSON.stringify(line)}
          columns={[
            { title: words.numbers, show: ({ numbers }) => numbers?.join(', ') ?? common.none },
            { title: words.special, show: ({ special_numbers }) => special_numbers?.join(', ') ?? common.none },
            { title: words.winning, show: ({ is_winning_line }) => (is_winning_line === true ? '✓' : common.none) },
          ]}
        />
      )}
      columns={[
        { title: common.when, show: ({ timestamp }) => <Moment at={timestamp} /> },
        { title: words.lottery, show: ({ lottery_name, lottery_id }) => lottery_name ?? lottery_id },
        { title: words.draw, show: ({ draw_id, draws }) => draw_id ?? draws.join(', ') },
        { title: words.lines, align: 'right', show: ({ line_count }) => number(line_count) },
        { title: common.state, show: ({ status }) => <State of={status} /> },
        {
          title: words.price,
          align: 'right',
          show: ({ amount, purchase_amount, currency }) => <Money of={amount ?? purchase_amount} currency={currency} />,
        },
        {
          title: words.payout,
          align: 'right',
          show: ({ status, base_payout }) => <Money of={status === 'open' ? null : base_payout} />,
        },
      ]}
    />
  );
}
