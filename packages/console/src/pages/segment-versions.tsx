import { Card, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../api/client.ts';
import { useText } from '../text/text.tsx';
import { LineDifference } from '../ui/line-difference-view.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { Moment, State } from '../ui/values.tsx';
import { RuleSentence } from './rule/rule-sentence.tsx';
import { writeRule } from './rule/rule-text.ts';

/** Shows every version of a segment, with its sentence and its difference from the previous version. */
export function SegmentVersions({ brand, code }: { brand: string; code: string }) {
  const { segments: words, common } = useText();
  const params = { path: { brand, code } };
  const versions = useQuery({
    queryKey: [brand, 'segment', code, 'versions'],
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/segments/{code}/versions', { params })),
  });
  if (versions.isPending) return <Loading />;
  if (versions.isLoadingError) return <Failed error={versions.error} onRetry={() => versions.refetch()} />;
  const { items } = versions.data;
  return (
    <Stack>
      {items.map((version, index) => {
        const former = items[index + 1];
        return (
          <Card withBorder key={version.version}>
            <Group>
              <Text fw={600}>
                {common.version} {version.version}
              </Text>
              <State of={version.state} />
              <Text size="sm" c="dimmed">
                <Moment at={version.published_at ?? version.created_at} /> · {version.created_by}
              </Text>
            </Group>
            <Text mt="xs">
              <RuleSentence rule={version.rule} english={version.sentence} />
            </Text>
            {version.reason !== null && (
              <Text size="sm" c="red">
                {version.reason}
              </Text>
            )}
            {version.include_protected && (
              <Text size="sm" c="dimmed">
                {words.includeProtectedVersion}
              </Text>
            )}
            {version.starts_campaigns && version.state !== 'draft' && (
              <Text size="sm" c="dimmed">
                {words.startsCampaignsVersion}
              </Text>
            )}
            {former && former.sentence !== version.sentence && (
              <Text size="sm" c="dimmed">
                {words.formerly}: <RuleSentence rule={former.rule} english={former.sentence} />
              </Text>
            )}
            {former && version.rule !== null && former.rule !== null && (
              <RuleDifference former={writeRule(former.rule)} latter={writeRule(version.rule)} />
            )}
          </Card>
        );
      })}
    </Stack>
  );
}

function RuleDifference({ former, latter }: { former: string; latter: string }) {
  const { segments: words } = useText();
  if (former === latter)
    return (
      <Text size="sm" c="dimmed">
        {words.sameRule}
      </Text>
    );
  return <LineDifference summary={words.ruleDifference} former={former} latter={latter} />;
}
