import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { playerActions } from '../../text/player-actions.ts';
import { useLanguage, useWords } from '../../text/text.tsx';
import { moneyText } from '../../ui/money.tsx';
import { OrderedLately, sinceYesterday } from '../../ui/ordered-lately.tsx';
import { CreatedBy } from '../rewards/created-by.tsx';
import type { OfPlayer } from './of-player.ts';

/** The newest bonuses of the player from the last 24 hours. */
export function RecentBonuses({ brand, userId: user_id }: OfPlayer) {
  const { bonus: words } = useWords(playerActions);
  const { language } = useLanguage();
  const [from] = useState(() => sinceYesterday(Date.now()));
  const recent = useQuery({
    queryKey: [brand, 'player', user_id, 'recent-bonuses'],
    queryFn: () =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/players/{user_id}/bonus-intents', {
          params: { path: { brand, user_id }, query: { from, limit: 5 } },
        }),
      ),
  });
  return (
    <OrderedLately
      title={words.recent}
      hint={words.recentHint}
      items={(recent.data?.items ?? []).map(
        ({ intent_id, bonus_code, amount, currency, created_at, created_by, state }) => ({
          to: `rewards/intents/${intent_id}`,
          what: [bonus_code, amount && moneyText(amount, currency ?? '', language)].filter(Boolean).join(' '),
          at: created_at,
          by: <CreatedBy of={created_by} />,
          state,
        }),
      )}
    />
  );
}
