import { Text } from '@mantine/core';
import { rewards } from '../../text/rewards.ts';
import { useText, useWords } from '../../text/text.tsx';
import { List } from '../../ui/list.tsx';
import { Money } from '../../ui/money.tsx';
import { State, useNumber } from '../../ui/values.tsx';
import { PlayerLink } from '../player-link.tsx';
import { type BudgetShown, readBudgetPlayers } from './queries.ts';

/** The players who are at or near their limit in a budget per player. */
export function BudgetPlayers({ brand, budget }: { brand: string; budget: BudgetShown }) {
  const { budgets: words } = useWords(rewards);
  const { common } = useText();
  const number = useNumber();
  const { budget_id, alarm_percent, limit_amount, limit_count, window_days } = budget;
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {words.playersAbout(alarm_percent)} {words.limitOf(words.eachPlayer(window_days))}
      </Text>
      <List
        name={[brand, 'budgets', budget_id, 'players']}
        scope="players"
        read={(cursor) => readBudgetPlayers(brand, budget_id, cursor)}
        keyOf={({ user_id }) => user_id}
        empty={words.nobodyNear}
        columns={[
          {
            title: common.player,
            isMain: true,
            show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} />,
          },
          {
            title: common.state,
            isEvident: true,
            show: ({ at_limit }) =>
              at_limit ? <State of="failed" label={words.atLimit} /> : <State of="warning" label={words.near} />,
          },
          ...(limit_amount === null
            ? []
            : [
                {
                  title: words.money,
                  show: ({ used }: { used: { amount: string } }) => (
                    <>
                      <Money of={used.amount} /> {words.of} <Money of={limit_amount} />
                    </>
                  ),
                },
              ]),
          ...(limit_count === null
            ? []
            : [
                {
                  title: words.bonuses,
                  show: ({ used }: { used: { count: number } }) =>
                    `${number(used.count)} ${words.of} ${number(limit_count)}`,
                },
              ]),
        ]}
      />
    </>
  );
}
