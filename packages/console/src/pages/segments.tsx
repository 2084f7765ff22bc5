import { Anchor, Button, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { segmentsQuery } from '../api/queries.ts';
import { useText } from '../text/text.tsx';
import { useCode } from '../text/use-code.ts';
import { Choice, Search, useFilters } from '../ui/filters.tsx';
import { isFound } from '../ui/is-found.ts';
import { Rows } from '../ui/list.tsx';
import { IfMay } from '../ui/may.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { State, useNumber } from '../ui/values.tsx';
import { useSentence } from './rule/use-rule-fields.ts';
import { SegmentUses } from './segment-uses.tsx';

export function Segments() {
  const { brand } = useParams({ from: '/$brand' });
  const { segments: words, common } = useText();
  const number = useNumber();
  const { filters } = useFilters();
  const codeName = useCode();
  const sentenceOf = useSentence();
  const segments = useQuery(segmentsQuery(brand));
  if (segments.isPending) return <Loading />;
  if (segments.isError) return <Failed error={segments.error} onRetry={() => segments.refetch()} />;
  const all = segments.data.items;
  const items = all.filter(
    (one) =>
      (filters.state === undefined || filters.state === one.state) && isFound(filters.search, one.name, one.code, sentenceOf(one.rule, one.sentence)),
  );
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
      {all.length > 0 && (
        <Group align="flex-end">
          <Search label={common.search} />
          <Choice name="state" label={common.state} of={[...new Set(all.map(({ state }) => state))]} />
        </Group>
      )}
      {items.length === 0 ? (
        <Empty>{all.length === 0 ? words.none : common.noneFound}</Empty>
      ) : (
        <Rows
          items={items}
          keyOf={({ code }) => code}
          columns={[
            {
              title: common.name,
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
                  {progress !== null && (
                    <Progress value={progress * 100} size="sm" mt={4} aria-label={words.progress} />
                  )}
                  {slowed && (
                    <Text size="sm" c="dimmed">
                      {codeName('feed')}
                    </Text>
                  )}
                </>
              ),
            },
            { title: common.members, align: 'right', show: ({ members }) => number(members) },
            {
              title: words.usedBy,
              show: ({ used_by, campaigns }) => <SegmentUses brand={brand} segments={used_by} campaigns={campaigns} />,
            },
          ]}
        />
      )}
    </Stack>
  );
}
