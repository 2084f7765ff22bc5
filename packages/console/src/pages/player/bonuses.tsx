import { Group, Stack, Title } from '@mantine/core';
import { api, bodyOf } from '../../api/client.ts';
import { playerPage } from '../../text/player-page.ts';
import { useText, useWords } from '../../text/text.tsx';
import { List } from '../../ui/list.tsx';
import { IfMay } from '../../ui/may.tsx';
import { Money } from '../../ui/money.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, Named, State } from '../../ui/values.tsx';
import { CreatedBy } from '../rewards/created-by.tsx';
import { CreditBonus } from './credit-bonus.tsx';
import type { OfPlayer } from './of-player.ts';

const refreshMs = 4_000;

/** Bonuses that Croupier ordered, and bonuses that the operator reported. */
export function Bonuses({ brand, userId: user_id }: OfPlayer) {
  const { bonuses: words } = useWords(playerPage);
  const { common } = useText();
  const path = { brand, user_id };
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={3} size="h5">
          {words.ordered}
        </Title>
        <IfMay permission="bonus.credit">
          <CreditBonus brand={brand} userId={user_id} />
        </IfMay>
      </Group>
      <List
        scope="ordered"
        name={[brand, 'player', user_id, 'bonus-intents']}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/players/{user_id}/bonus-intents', {
              params: { path, query: cursor ? { cursor } : {} },
            }),
          )
        }
        keyOf={({ intent_id }) => intent_id}
        empty={words.noOrders}
        columns={[
          {
            title: words.code,
            show: ({ intent_id, bonus_code }) => <To to={`rewards/intents/${intent_id}`}>{bonus_code}</To>,
          },
          {
            title: words.amount,
            align: 'right',
            show: ({ amount, currency }) => <Money of={amount} currency={currency} />,
          },
          { title: common.state, show: ({ state }) => <State of={state} /> },
          { title: common.reason, show: ({ reason }) => <Named of={reason} /> },
          { title: words.since, show: ({ state_since }) => <Moment at={state_since} /> },
          { title: words.by, show: ({ created_by }) => <CreatedBy of={created_by} /> },
        ]}
      />
      <Title order={3} size="h5">
        {words.told}
      </Title>
      <List
        name={[brand, 'player', user_id, 'bonuses']}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/players/{user_id}/bonuses', {
              params: { path, query: cursor ? { cursor } : {} },
            }),
          )
        }
        keyOf={({ user_bonus_id }) => user_bonus_id}
        empty={words.none}
        columns={[
          { title: common.when, show: ({ status_at }) => <Moment at={status_at} /> },
          { title: words.code, show: ({ bonus_code, bonus_id }) => bonus_code ?? bonus_id },
          { title: words.product, show: ({ product }) => <Named of={product} /> },
          { title: common.state, show: ({ status }) => <State of={status} /> },
          {
            title: words.amount,
            align: 'right',
            show: ({ amount, currency }) => <Money of={amount} currency={currency} />,
          },
          {
            title: words.turned,
            align: 'right',
            show: ({ base_turned_real }) => <Money of={base_turned_real} />,
          },
          {
            title: words.wagering,
            align: 'right',
            show: ({ base_required_wagering }) => <Money of={base_required_wagering} />,
          },
          { title: words.expires, show: ({ expires_at }) => <Moment at={expires_at} /> },
        ]}
      />
    </Stack>
  );
}
