import { Button, Card, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../../api/client.ts';
import { messages } from '../../../text/messages.ts';
import { useText, useWords } from '../../../text/text.tsx';
import { lineDifference } from '../../../ui/line-difference.ts';
import { useBrand } from '../../../ui/page.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Moment } from '../../../ui/values.tsx';
import type { Draft } from './draft.ts';

interface VersionsProps {
  code: string;
  current: number;
  onRestore(draft: Draft, version: number): void;
}

/** Lists every version with its changes. The user can edit each of them again. */
export function Versions({ code, current, onRestore }: VersionsProps) {
  const brand = useBrand();
  const words = useWords(messages);
  const { common } = useText();
  const versions = useInfiniteQuery({
    queryKey: [brand, 'template', code, 'versions'],
    queryFn: ({ pageParam }) =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/templates/{code}/versions', {
          params: { path: { brand, code }, query: pageParam === undefined ? {} : { cursor: pageParam } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  if (versions.isPending) return <Loading />;
  if (versions.isLoadingError) return <Failed error={versions.error} onRetry={() => versions.refetch()} />;
  const items = versions.data.pages.flatMap((page) => page.items);
  return (
    <Stack>
      {items.map((version, index) => {
        const former = items[index + 1];
        const { name, purpose, content } = version;
        return (
          <Card withBorder key={version.version}>
            <Group justify="space-between">
              <Group>
                <Text fw={600}>
                  {common.version} {version.version}
                </Text>
                {version.version === current && <Text size="sm">{words.history.now}</Text>}
                <Text size="sm" c="dimmed">
                  <Moment at={version.created_at} /> · {version.created_by}
                </Text>
              </Group>
              {version.version !== current && (
                <Button
                  size="xs"
                  variant="light"
                  aria-label={`${words.history.restore}: ${version.version}`}
                  onClick={() => onRestore({ name, purpose, content }, version.version)}
                >
                  {words.history.restore}
                </Button>
              )}
            </Group>
            {former !== undefined && <Difference former={former} latter={version} />}
            {former === undefined && !versions.hasNextPage && (
              <Text size="sm" c="dimmed">
                {words.history.first}
              </Text>
            )}
          </Card>
        );
      })}
      {versions.hasNextPage && (
        <Group justify="center">
          <Button variant="light" loading={versions.isFetchingNextPage} onClick={() => versions.fetchNextPage()}>
            {common.more}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

interface ChangedField {
  language: string;
  field: string;
  before: string | undefined;
  after: string | undefined;
}

const textOf = (value: unknown) =>
  value === undefined || typeof value === 'string' ? value : JSON.stringify(value, null, 2);

/** Returns the fields whose text differs, by language. Pure. */
export function changedFields(before: Draft['content'], after: Draft['content']): ChangedField[] {
  const languages = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...languages].flatMap((language) => {
    const fields = new Set([...Object.keys(before[language] ?? {}), ...Object.keys(after[language] ?? {})]);
    return [...fields].flatMap((field) => {
      const [former, latter] = [textOf(before[language]?.[field]), textOf(after[language]?.[field])];
      return former === latter ? [] : [{ language, field, before: former, after: latter }];
    });
  });
}

function Difference({ former, latter }: { former: Draft; latter: Draft }) {
  const words = useWords(messages);
  const fields = changedFields(former.content, latter.content);
  return (
    <Stack gap={4} mt="xs">
      {former.name !== latter.name && <Text size="sm">{words.history.renamed(former.name, latter.name)}</Text>}
      {fields.length === 0 && <Text size="sm">{words.history.same}</Text>}
      {fields.map(({ language, field, before, after }) => (
        <details key={`${language} ${field}`} open={fields.length <= 2}>
          <summary>
            {language} · {words.fields[field] ?? field}
            {before === undefined && ` · ${words.history.added}`}
            {after === undefined && ` · ${words.history.removed}`}
          </summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
          <pre className="difference" tabIndex={0}>
            {lineDifference(before ?? '', after ?? '').map(({ sign, line }, index) => {
              const Line = ({ '+': 'ins', '-': 'del', ' ': 'span' } as const)[sign];
              // biome-ignore lint/suspicious/noArrayIndexKey: lines repeat, so only their place identifies them
              return <Line key={index}>{`${sign} ${line}\n`}</Line>;
            })}
          </pre>
        </details>
      ))}
    </Stack>
  );
}
