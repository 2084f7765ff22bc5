import { Stack, Text } from '@mantine/core';
import { api, bodyOf } from '../../api/client.ts';
import { playerPage } from '../../text/player-page.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Choice, FilterBar, useFilters } from '../../ui/filters.tsx';
import { List, Rows } from '../../ui/list.tsx';
import { Money, useBaseCurrency } from '../../ui/money.tsx';
import { Moment, Named, State } from '../../ui/values.tsx';
import type { OfPlayer } from './of-player.ts';

const refreshMs = 4_000;
const types = ['Credit', 'Debit'] as const;
const statuses = ['Requested', 'Approved', 'Rejected', 'Cancelled', 'Rollback'] as const;

/** Deposits and withdrawals. */
export function Payments({ brand, userId }: OfPlayer) {
  const { payments: words } = useWords(playerPage);
  const { common } = useText();
  const { filters } = useFilters();
  const base = useBaseCurrency();
  const type = types.find((each) => each === filters.type);
  const status = statuses.find((each) => each === filters.status);
  const query = { ...(type && { type }), ...(status && { status }) };
  return (
    <Stack>
      <FilterBar keeps={['tab']}>
        <Choice name="type" label={words.type} of={types} />
        <Choice name="status" label={common.state} of={statuses} />
      </FilterBar>
      <List
        name={[brand, 'player', userId, 'payments', query]}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/players/{user_id}/payments', {
              params: { path: { brand, user_id: userId }, query: { ...query, ...(cursor && { cursor }) } },
            }),
          )
        }
        keyOf={({ payment_id, timestamp, type }) => `${payment_id ?? timestamp} ${type}`}
        empty={words.none}
        detail={({ events, base_fee, exchange_rate, note, bonus_code, conflicts, payment_id }) => (
          <Stack gap="xs">
            <Text size="sm">
              {[
                payment_id,
                `${words.rate} ${exchange_rate}`,
                `${words.fee} ${base_fee} ${base}`,
                bonus_code && `${words.code} ${bonus_code}`,
                note && `${words.note}: ${note}`,
                conflicts > 0 && `${words.conflicts}: ${conflicts}`,
              ]
                .filter(Boolean)
                .join(' · ')}
            </Text>
            <Text size="sm" fw={500}>
              {words.steps}
            </Text>
            <Rows
              items={events}
              keyOf={({ status, timestamp }) => `${status} ${timestamp}`}
              columns={[
                { title: common.when, show: ({ timestamp }) => <Moment at={timestamp} /> },
                { title: common.state, show: ({ status }) => <State of={status} /> },
                {
                  title: words.amount,
                  align: 'right',
                  show: ({ amount, currency }) => <Money of={amount} currency={currency} />,
                },
              ]}
            />
          </Stack>
        )}
        columns={[
          { title: common.when, show: ({ timestamp }) => <Moment at={timestamp} /> },
          { title: words.type, show: ({ type }) => <Named of={type} /> },
          { title: common.state, show: ({ status }) => <State of={status} /> },
          {
            title: words.amount,
            align: 'right',
            show: ({ amount, currency }) => <Money of={amount} currency={currency} />,
          },
          { title: words.base, align: 'right', show: ({ base_amount }) => <Money of={base_amount} /> },
          { title: words.by, show: ({ vendor_name, vendor_id }) => vendor_name ?? vendor_id },
          { title: words.counted, show: ({ counted }) => (counted ? '✓' : '–') },
        ]}
      />
    </Stack>
  );
}
