import { Box, Progress, Stack, Text } from '@mantine/core';
import { api, bodyOf } from '../../api/client.ts';
import { bulk } from '../../text/bulk.ts';
import { places } from '../../text/places.ts';
import { useText, useWords } from '../../text/text.tsx';
import { FilterBar, useFilters } from '../../ui/filters.tsx';
import { type Column, List } from '../../ui/list.tsx';
import { NamedFilter } from '../../ui/named/named-filter.tsx';
import { NumberLink } from '../../ui/number-link.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, State, useNumber } from '../../ui/values.tsx';
import { CreatedBy } from '../rewards/created-by.tsx';
import { SegmentLink } from '../segment-link.tsx';
import { useGets } from './gets.ts';
import type { Action } from './queries.ts';

const refreshMs = 2_000;

/** Messages and offers to whole segments, newest first. */
export function BulkActions() {
  const brand = useBrand();
  const { list: words } = useWords(bulk);
  const title = useWords(places).pages['bulk-actions'];
  const { common } = useText();
  const gets = useGets();
  const { filters } = useFilters();
  return (
    <Page title={title} about={words.about}>
      <FilterBar>
        <NamedFilter list="segments" name="segment" label={words.segment} />
      </FilterBar>
      <List
        name={[brand, 'bulk-actions', filters]}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/bulk-actions', {
              params: { path: { brand }, query: { ...filters, ...(cursor && { cursor }) } },
            }),
          )
        }
        keyOf={({ action_id }) => action_id}
        empty={
          Object.keys(filters).length === 0 ? (
            <Empty next={<To to="segments">{words.toSegments}</To>}>{words.none}</Empty>
          ) : (
            common.noMatch
          )
        }
        columns={[
          { title: common.when, show: ({ created_at }) => <Moment at={created_at} /> },
          {
            title: words.gets,
            isMain: true,
            show: (action) => <To to={`messages/bulk-actions/${action.action_id}`}>{gets(action)}</To>,
          },
          {
            title: words.segment,
            show: ({ segment }) => <SegmentLink code={segment} />,
          },
          { title: common.state, show: ({ state }) => <State of={state} /> },
          {
            title: words.progress,
            show: (action) => (
              <Box miw={140}>
                <ProgressOf action={action} />
              </Box>
            ),
          },
          ...(['sent', 'withheld'] as const).map(
            (state): Column<Action> => ({
              title: words[state],
              align: 'right',
              show: ({ action_id, counts }) => (
                <NumberLink of={counts[state] ?? 0} to={`messages/bulk-actions/${action_id}`} search={{ state }} />
              ),
            }),
          ),
          { title: words.by, show: ({ created_by }) => <CreatedBy of={created_by} /> },
        ]}
      />
    </Page>
  );
}

/** How many players of an action have an outcome. */
export function ProgressOf({ action: { players, progress } }: { action: Pick<Action, 'players' | 'progress'> }) {
  const { list: words } = useWords(bulk);
  const number = useNumber();
  return (
    <Stack gap={2}>
      <Progress value={progress * 100} aria-label={words.progress} />
      <Text size="xs" className="figure">
        {words.done(number(Math.round(progress * players)), number(players))}
      </Text>
    </Stack>
  );
}
