import { api, bodyOf } from '../../api/client.ts';
import { integration } from '../../text/integration.ts';
import { places } from '../../text/places.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Choice, FilterBar, useFilters, Words } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { Money } from '../../ui/money.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, State, useNumber } from '../../ui/values.tsx';
import { RoundDetail } from '../player/round-detail.tsx';
import { PlayerLink } from '../player-link.tsx';

const refreshMs = 5_000;
/** Minutes after which an open round needs attention. */
const longOpen = 60;

/** Rounds that count without amounts, or that have been open for a long time. */
export function OddRounds() {
  const brand = useBrand();
  const { rounds: words } = useWords(integration);
  const title = useWords(places).pages.rounds;
  const { common } = useText();
  const number = useNumber();
  const {
    filters: { of = 'unpriced', unpriced: _, ...ids },
  } = useFilters();
  const query = { ...ids, ...(of === 'open' ? { open_longer_than: longOpen } : { unpriced: true }) };
  return (
    <Page title={title} about={words.about}>
      <FilterBar>
        <Choice name="of" label={words.of} of={['unpriced', 'open']} namesIn="rounds" />
        <Words name="vendor_id" label={words.vendor} />
        <Words name="game_id" label={words.game} />
      </FilterBar>
      <List
        name={[brand, 'odd-rounds', query]}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/rounds', {
              params: { path: { brand }, query: { ...query, ...(cursor && { cursor }) } },
            }),
          )
        }
        keyOf={({ player_id, vendor_id, game_id, round_id }) => [player_id, vendor_id, game_id, round_id].join(' ')}
        empty={
          <Empty
            next={
              <To to="live" search={{ view: 'rounds' }}>
                {words.latest}
              </To>
            }
          >
            {Object.keys(ids).length > 0 ? common.noMatch : words[of === 'open' ? 'noneOpen' : 'noneUnpriced']}
          </Empty>
        }
        detail={(round) => <RoundDetail round={round} />}
        columns={[
          { title: common.when, show: ({ first_at }) => <Moment at={first_at} /> },
          { title: common.player, show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} /> },
          {
            title: words.game,
            show: ({ vendor_id, vendor_name, game_id, game_name }) =>
              `${game_name ?? game_id} (${vendor_name ?? vendor_id})`,
          },
          { title: common.state, show: ({ status }) => <State of={status} /> },
          {
            title: words.result,
            align: 'right',
            show: ({ base, user }) => (
              <Money of={(user ?? base)?.result} currency={(user ?? base)?.currency} isResult />
            ),
          },
          {
            title: words.events,
            align: 'right',
            show: ({ activities, messages }) => number(activities.length + messages.length),
          },
        ]}
      />
    </Page>
  );
}
