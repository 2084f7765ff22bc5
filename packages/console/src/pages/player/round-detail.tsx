import { Stack, Text } from '@mantine/core';
import { playerPage } from '../../text/player-page.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Rows } from '../../ui/list.tsx';
import { Money } from '../../ui/money.tsx';
import { Moment, State } from '../../ui/values.tsx';

interface Round {
  activities: readonly {
    activity_id: string;
    type: string;
    status: string;
    resolution: string;
    timestamp: string;
    amount: string;
    currency: string;
    real: string;
    bonus: string;
  }[];
  messages: readonly { timestamp: string; device_type: string; origin: string }[];
  round_id: string;
  multiplier: string | null;
}

/** The bets and wins of a round, each with its outcome. */
export function RoundDetail({ round }: { round: Round }) {
  const { rounds: words } = useWords(playerPage);
  const { common } = useText();
  const { activities, messages } = round;
  return (
    <Stack gap="xs">
      <Text size="sm">
        {words.round} {round.round_id}
        {round.multiplier !== null && ` · ${words.multiplier} ${round.multiplier}`}
        {messages.length > 0 && ` · ${words.messages}: ${messages.map(({ device_type }) => device_type).join(', ')}`}
      </Text>
      {activities.length > 0 && (
        <Rows
          items={activities}
          keyOf={({ activity_id, type, status, timestamp }) => [activity_id, type, status, timestamp].join(' ')}
          columns={[
            { title: common.when, show: ({ timestamp }) => <Moment at={timestamp} /> },
            { title: common.what, show: ({ type }) => <State of={type} /> },
            {
              title: words.amount,
              align: 'right',
              show: ({ amount, currency }) => <Money of={amount} currency={currency} />,
            },
            {
              title: words.real,
              align: 'right',
              show: ({ real, currency }) => <Money of={real} currency={currency} />,
            },
            {
              title: words.bonus,
              align: 'right',
              show: ({ bonus, currency }) => <Money of={bonus} currency={currency} />,
            },
            { title: common.state, show: ({ resolution }) => <State of={resolution} /> },
            { title: words.activity, show: ({ activity_id }) => <span className="id">{activity_id}</span> },
          ]}
        />
      )}
    </Stack>
  );
}
