import { Anchor, Progress, Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { api, bodyOf } from '../api/client.ts';
import { useText } from '../text/text.tsx';
import { useCode } from '../text/use-code.ts';
import { useFilters } from '../ui/filters.tsx';
import { NameAndState } from '../ui/name-and-state.tsx';
import { NamedList } from '../ui/named-list.tsx';
import { NumberLink } from '../ui/number-link.tsx';
import { State } from '../ui/values.tsx';
import { RuleSentence } from './rule/rule-sentence.tsx';
import { SegmentUses } from './segment-uses.tsx';

const refreshMs = 2_000;
const states = ['draft', 'computing', 'live', 'paused', 'failed'];

/** The segments of the brand, by name. */
export function Segments() {
  const { brand } = useParams({ from: '/$brand' });
  const { segments: words, common } = useText();
  const codeName = useCode();
  const { filters } = useFilters();
  return (
    <NamedList
      title={words.title}
      make={{ permission: 'segment.manage', to: 'new-segment', label: words.make }}
      filterBar={<NameAndState states={states} />}
      kind="segments"
      filters={filters}
      scope="segments"
      refreshMs={refreshMs}
      read={(cursor) =>
        bodyOf(
          api.GET('/api/console/v1/brands/{brand}/segments', {
            params: { path: { brand }, query: { ...filters, ...(cursor && { cursor }) } },
          }),
        )
      }
      empty={Object.keys(filters).length === 0 ? words.none : common.noMatch}
      columns={[
        {
          title: common.name,
          sort: { name: 'name', of: ({ name }) => name },
          show: ({ code, name, sentence, rule }) => (
            <>
              <Anchor component={Link} to={`/${brand}/segments/${code}`}>
                {name}
              </Anchor>
              <Text size="sm" c="dimmed">
                <RuleSentence rule={rule} english={sentence} />
              </Text>
            </>
          ),
        },
        {
          title: common.state,
          show: ({ state, progress, slowed }) => (
            <>
              <State of={state} />
              {progress !== null && <Progress value={progress * 100} size="sm" mt={4} aria-label={words.progress} />}
              {slowed && (
                <Text size="sm" c="dimmed">
                  {codeName('feed')}
                </Text>
              )}
            </>
          ),
        },
        {
          title: common.members,
          align: 'right',
          sort: { name: 'members', of: ({ members }) => members },
          show: ({ code, members, counting }) =>
            counting ? codeName('computing') : <NumberLink of={members} to={`segments/${code}`} />,
        },
        {
          title: words.usedBy,
          show: ({ used_by, campaigns }) => <SegmentUses brand={brand} segments={used_by} campaigns={campaigns} />,
        },
      ]}
    />
  );
}
