import { Anchor, Button, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { api, bodyOf } from '../api/client.ts';
import { useText } from '../text/text.tsx';
import { useCode } from '../text/use-code.ts';
import { useFilters } from '../ui/filters.tsx';
import { List } from '../ui/list.tsx';
import { IfMay } from '../ui/may.tsx';
import { NameAndState } from '../ui/name-and-state.tsx';
import { State, useNumber } from '../ui/values.tsx';
import { useSentence } from './rule/use-rule-fields.ts';
import { SegmentUses } from './segment-uses.tsx';

const refreshMs = 2_000;
const states = ['draft', 'computing', 'live', 'paused', 'failed'];

/** The segments of the brand, by name. The platform reads one page at a time and applies the filters. */
export function Segments() {
  const { brand } = useParams({ from: '/$brand' });
  const { segments: words, common } = useText();
  const number = useNumber();
  const codeName = useCode();
  const sentenceOf = useSentence();
  const { filters } = useFilters();
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2}>{words.title}</Title>
        <IfMay permission="segment.manage">
          <Button component={Link} to={`/${brand}/new-segment`}>
            {words.make}
          </Button>
        </IfMay>
      </Group>
      <NameAndState states={states} />
      <List
        scope="segments"
        name={[brand, 'segments', 'list', filters]}
        refreshMs={refreshMs}
        read={(cursor) =>
          bodyOf(
            api.GET('/api/console/v1/brands/{brand}/segments', {
              params: { path: { brand }, query: { ...filters, ...(cursor && { cursor }) } },
            }),
          )
        }
        keyOf={({ code }) => code}
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
                  {sentenceOf(rule, sentence)}
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
            show: ({ members }) => number(members),
          },
          {
            title: words.usedBy,
            show: ({ used_by, campaigns }) => <SegmentUses brand={brand} segments={used_by} campaigns={campaigns} />,
          },
        ]}
      />
    </Stack>
  );
}
