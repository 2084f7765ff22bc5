import { Text } from '@mantine/core';
import { api, bodyOf } from '../../api/client.ts';
import { integration } from '../../text/integration.ts';
import { places } from '../../text/places.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Choice, FilterBar, useFilters } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, Named, State } from '../../ui/values.tsx';
import { PlayerLink } from '../player-link.tsx';

const refreshMs = 2_000;
const lists = ['open', 'failing', 'contradicted'] as const;

/** Consents and blocks that were changed in the platform and that the operator has not stored yet. */
export function WriteBacks() {
  const brand = useBrand();
  const { writeBacks: words } = useWords(integration);
  const title = useWords(places).pages['write-backs'];
  const { common } = useText();
  const nameOf = useCode();
  const { filters } = useFilters();
  const list = lists.find((each) => each === filters.list);
  return (
    <Page title={title} about={words.about}>
      <FilterBar>
        <Choice name="list" label={words.list} of={lists} />
      </FilterBar>
      <List
        name={[brand, 'write-backs', list]}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/write-backs', {
              params: { path: { brand }, query: { ...(list && { list }), ...(cursor && { cursor }) } },
            }),
          )
        }
        keyOf={({ item_id }) => item_id}
        empty={
          <Empty next={<To to="compliance/consents">{words.consents}</To>}>
            {list === undefined ? words.none : common.noMatch}
          </Empty>
        }
        columns={[
          { title: common.when, show: ({ changed_at }) => <Moment at={changed_at} /> },
          { title: common.player, show: ({ user_id }) => <PlayerLink brand={brand} userId={user_id} /> },
          {
            title: common.what,
            show: ({ record, type, wanted }) => (
              <Text size="sm">
                {nameOf(record)}: {nameOf(type)}{' '}
                {record === 'blocks' ? words[wanted ? 'set' : 'lifted'] : words[wanted ? 'given' : 'taken']}
              </Text>
            ),
          },
          { title: words.source, show: ({ source }) => <Named of={source} /> },
          { title: common.state, show: ({ state }) => <State of={state} /> },
          { title: words.due, show: ({ due_at }) => <Moment at={due_at} /> },
          {
            title: words.lastError,
            show: ({ last_error }) =>
              last_error === null ? (
                common.none
              ) : (
                <Text size="xs" className="timeline-line">
                  {nameOf(last_error.reason)}: {last_error.detail}
                </Text>
              ),
          },
        ]}
      />
    </Page>
  );
}
