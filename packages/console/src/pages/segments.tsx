import { Anchor, Button, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { segmentsQuery } from '../api/queries.ts';
import { useText } from '../text/text.tsx';
import { useCode } from '../text/use-code.ts';
import { Rows } from '../ui/list.tsx';
import { IfMay } from '../ui/may.tsx';
import { NameAndState, useMatching } from '../ui/name-and-state.tsx';
import { Empty } from '../ui/states.tsx';
import { FailedPage, LoadingPage } from '../ui/unready-page.tsx';
import { State, useNumber } from '../ui/values.tsx';
import { useSentence } from './rule/use-rule-fields.ts';
import { SegmentUses } from './segment-uses.tsx';

export function Segments() {
  const { brand } = useParams({ from: '/$brand' });
  const { segments: words, common } = useText();
  const number = useNumber();
  const codeName = useCode();
  const sentenceOf = useSentence();
  const segments = useQuery(segmentsQuery(brand));
  const shown = useMatching(segments.data?.items ?? []);
  if (segments.isPending) return <LoadingPage />;
  if (segments.isError) return <FailedPage error={segments.error} onRetry={() => segments.refetch()} />;
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
      {segments.data.items.length === 0 ? (
        <Empty>{words.none}</Empty>
      ) : (
        <>
          <NameAndState items={segments.data.items} />
          {shown.length === 0 && <Empty>{common.noMatch}</Empty>}
          {shown.length > 0 && (
            <Rows
              scope="segments"
              items={shown}
              keyOf={({ code }) => code}
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
                {
                  title: common.members,
                  align: 'right',
                  sort: { name: 'members', of: ({ members }) => members },
                  show: ({ members }) => number(members),
                },
                {
                  title: words.usedBy,
                  show: ({ used_by, campaigns }) => (
                    <SegmentUses brand={brand} segments={used_by} campaigns={campaigns} />
                  ),
                },
              ]}
            />
          )}
        </>
      )}
    </Stack>
  );
}
