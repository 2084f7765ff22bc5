import { api, bodyOf } from '../../api/client.ts';
import { playerPage } from '../../text/player-page.ts';
import { useText, useWords } from '../../text/text.tsx';
import { List, Rows } from '../../ui/list.tsx';
import { Money } from '../../ui/money.tsx';
import { Moment, State } from '../../ui/values.tsx';
import type { OfPlayer } from './of-player.ts';

const refreshMs = 4_000;

/** Bets with their selections. */
export function Sports({ brand, userId }: OfPlayer) {
  const { sports: words } = useWords(playerPage);
  const { common } = useText();
  return (
    <List
      name={[brand, 'player', userId, 'bets']}
      refreshMs={refreshMs}
      read={(cursor) =>
        bodyOf(
          api.GET('/api/console/v1/brands/{brand}/players/{user_id}/bets', {
            params: { path: { brand, user_id: userId }, query: cursor ? { cursor } : {} },
          }),
        )
      }
      keyOf={({ bet_id, timestamp }) => `${bet_id} ${timestamp}`}
      empty={words.none}
      detail={({ selections }) => (
        <Rows
          items={selections}
          keyOf={({ event_name, market, outcome }) => [event_name, market, outcome].join(' ')}
          columns={[
            {
              title: words.match,
              show: ({ event_name, sports_name, tournament_name }) =>
                [event_name, tournament_name, sports_name].filter(Boolean).join(' · '),
            },
            { title: words.market, show: ({ market }) => market ?? common.none },
            { title: words.outcome, show: ({ outcome }) => outcome ?? common.none },
            { title: words.odds, align: 'right', show: ({ odds }) => odds ?? common.none },
            { title: words.live, show: ({ is_live }) => (is_live === true ? '✓' : common.none) },
          ]}
        />
      )}
      columns={[
        { title: common.when, show: ({ timestamp }) => <Moment at={timestamp} /> },
        { title: words.bet, show: ({ bet_type, bet_id }) => bet_type ?? <span className="id">{bet_id}</span> },
        {
          title: words.selections,
          show: ({ selections: [first, ...others] }) =>
            first === undefined
              ? common.none
              : `${first.event_name ?? first.market ?? ''}${others.length === 0 ? '' : ` +${others.length}`}`,
        },
        { title: common.state, show: ({ status }) => <State of={status} /> },
        { title: words.odds, align: 'right', show: ({ odds }) => odds ?? common.none },
        {
          title: words.stake,
          align: 'right',
          show: ({ amount, currency }) => <Money of={amount} currency={currency} />,
        },
        {
          title: words.payout,
          align: 'right',
          show: ({ status, base_payout }) => <Money of={status === 'open' ? null : base_payout} />,
        },
        {
          title: words.result,
          align: 'right',
          show: ({ base_result }) => <Money of={base_result} isResult />,
        },
      ]}
    />
  );
}
