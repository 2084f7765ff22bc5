import { api, bodyOf } from '../../api/client.ts';
import { integration } from '../../text/integration.ts';
import { places } from '../../text/places.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Choice, FilterBar, useFilters } from '../../ui/filters.tsx';
import { Folded } from '../../ui/folded.tsx';
import { List } from '../../ui/list.tsx';
import { useMay } from '../../ui/may.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { PlayerFilter } from '../../ui/player-filter.tsx';
import { Empty } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, Named, State } from '../../ui/values.tsx';
import { PlayerLink } from '../player-link.tsx';
import { eventKinds } from './event-words.ts';

const refreshMs = 2_000;
const quarantineStates = ['open', 'reinjected', 'dismissed'] as const;

/** Events that could not be accepted. */
export function QuarantineList() {
  const brand = useBrand();
  const { quarantine: words } = useWords(integration);
  const title = useWords(places).pages.quarantine;
  const { common } = useText();
  const { filters } = useFilters();
  // Links on other pages lead to the list of open bodies, so this filter counts as no filter.
  const isWhole = Object.entries(filters).every(([name, value]) => name === 'state' && value === 'open');
  const mayRepair = useMay()('event.repair');
  return (
    <Page title={title} about={words.about}>
      <FilterBar>
        <Choice name="state" label={common.state} of={quarantineStates} />
        <Choice name="kind" label={words.kind} of={eventKinds} />
        <PlayerFilter />
      </FilterBar>
      <List
        name={[brand, 'quarantine', filters]}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/quarantine', {
              params: { path: { brand }, query: { ...filters, ...(cursor && { cursor }) } },
            }),
          )
        }
        keyOf={({ quarantine_id }) => quarantine_id}
        empty={
          <Empty next={<To to="integration/inspector">{words.allEvents}</To>}>
            {isWhole ? words.none : common.noMatch}
          </Empty>
        }
        columns={[
          {
            title: words.kind,
            show: ({ quarantine_id, kind }) =>
              mayRepair ? (
                <To to={`integration/quarantine/${quarantine_id}`}>
                  <Named of={kind} />
                </To>
              ) : (
                <Named of={kind} />
              ),
          },
          {
            title: words.reasons,
            show: ({ reasons }) => (
              <Folded lines={reasons.map(({ path, rule, message }) => ({ key: `${path} ${rule}`, line: message }))} />
            ),
          },
          {
            title: common.player,
            show: ({ user_id }) => (user_id?.trim() ? <PlayerLink brand={brand} userId={user_id} /> : common.none),
          },
          { title: words.tries, align: 'right', show: ({ tries }) => words.times(tries) },
          { title: words.last, show: ({ last_at }) => <Moment at={last_at} /> },
          { title: common.state, show: ({ state }) => <State of={state} /> },
        ]}
      />
    </Page>
  );
}
