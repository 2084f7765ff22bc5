import { Stack, Text } from '@mantine/core';
import { api, bodyOf } from '../../api/client.ts';
import { playerPage } from '../../text/player-page.ts';
import { useText, useWords } from '../../text/text.tsx';
import { List, Rows } from '../../ui/list.tsx';
import { Money } from '../../ui/money.tsx';
import { Moment, useNumber } from '../../ui/values.tsx';
import type { OfPlayer } from './of-player.ts';

const refreshMs = 4_000;

/** Carts with their items and payments. */
export function Carts({ brand, userId }: OfPlayer) {
  const { carts: words } = useWords(playerPage);
  const { common } = useText();
  const number = useNumber();
  return (
    <List
      name={[brand, 'player', userId, 'carts']}
      refreshMs={refreshMs}
      read={(cursor) =>
        bodyOf(
          api.GET('/api/console/v1/brands/{brand}/players/{user_id}/carts', {
            params: { path: { brand, user_id: userId }, query: cursor ? { cursor } : {} },
          }),
        )
      }
      keyOf={({ cart_id, type, timestamp }) => [cart_id, type, timestamp].join(' ')}
      empty={words.none}
      detail={({ items, payments, currency }) => (
        <Stack gap="xs">
          <Rows
            items={items}
            keyOf={(item) => JSON.stringify(item)}
            columns={[
              { title: words.item, show: ({ name, description, id }) => name ?? description ?? id },
              { title: words.amount, align: 'right', show: ({ amount }) => <Money of={amount} currency={currency} /> },
              {
                title: words.discount,
                align: 'right',
                show: ({ discount_amount }) => <Money of={discount_amount} currency={currency} />,
              },
            ]}
          />
          <Text size="sm">
            {words.paid}:{' '}
            {payments.map(({ type, amount }) => `${type} ${amount} ${currency}`).join(', ') || common.none}
          </Text>
        </Stack>
      )}
      columns={[
        { title: common.when, show: ({ timestamp }) => <Moment at={timestamp} /> },
        { title: words.cart, show: ({ cart_id, type }) => `${type} ${cart_id}` },
        { title: common.state, show: ({ status }) => status },
        { title: words.items, align: 'right', show: ({ items }) => number(items.length) },
        {
          title: words.amount,
          align: 'right',
          show: ({ amount, currency }) => <Money of={amount} currency={currency} />,
        },
        {
          title: words.discount,
          align: 'right',
          show: ({ discount_amount, currency }) => <Money of={discount_amount} currency={currency} />,
        },
      ]}
    />
  );
}
