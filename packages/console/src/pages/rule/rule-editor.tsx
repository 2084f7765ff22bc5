import { Alert, Card, Group, Select, Stack, Text, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { useText } from '../../text/text.tsx';
import { Rows } from '../../ui/list.tsx';
import { Failed } from '../../ui/states.tsx';
import { useNumber } from '../../ui/values.tsx';
import { conditionOn, readRule, withCondition, writeRule } from './rule-text.ts';
import { TryPlayer } from './try-player.tsx';

/** Milliseconds after the last key, before the platform is asked. */
const restMs = 300;
/** Fields that are offered at once; typing finds the others. */
const offered = 50;

interface RuleEditorProps {
  brand: string;
  text: string;
  onChange(text: string): void;
}

/** A rule as JSON; beside it what it says, its errors, how many players it selects, and what each condition removes. */
export function RuleEditor({ brand, text, onChange }: RuleEditorProps) {
  const { rules: words } = useText();
  const fields = useQuery({
    queryKey: [brand, 'rule-fields'],
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/rule-fields', { params: { path: { brand } } })),
    staleTime: 60_000,
  });
  const items = fields.data?.items ?? [];
  const add = (name: string | null) => {
    const field = items.find((item) => item.field === name);
    const { rule, problem } = readRule(text);
    if (field && problem === null) onChange(writeRule(withCondition(rule, conditionOn(field))));
  };
  return (
    <Stack>
      <Select
        label={words.add}
        placeholder={words.addHint}
        searchable
        limit={offered}
        value={null}
        onChange={add}
        disabled={readRule(text).problem !== null}
        data={items.map(({ field, title }) => ({ value: field, label: `${title} (${field})` }))}
        nothingFoundMessage={words.noField}
      />
      <Textarea
        label={words.rule}
        description={words.ruleHint}
        rows={14}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
        classNames={{ input: 'code' }}
        spellCheck={false}
      />
      <RuleAnswer brand={brand} text={text} />
    </Stack>
  );
}

function RuleAnswer({ brand, text }: { brand: string; text: string }) {
  const { rules: words } = useText();
  const number = useNumber();
  const [rested] = useDebouncedValue(text, restMs);
  const { rule, problem } = readRule(rested);
  const params = { path: { brand } };
  const check = useQuery({
    queryKey: [brand, 'rule', 'check', rested],
    queryFn: () => bodyOf(api.POST('/api/console/v1/brands/{brand}/rules/check', { params, body: { rule } })),
    enabled: problem === null,
    placeholderData: keepPreviousData,
  });
  const usable = problem === null && check.data?.errors.length === 0 && !check.isPlaceholderData;
  const preview = useQuery({
    queryKey: [brand, 'rule', 'preview', rested],
    queryFn: () => bodyOf(api.POST('/api/console/v1/brands/{brand}/rules/preview', { params, body: { rule } })),
    enabled: usable,
  });
  if (problem !== null) return <Alert color="yellow">{`${words.unfinished} ${problem}`}</Alert>;
  if (check.isError) return <Failed error={check.error} onRetry={() => check.refetch()} />;
  const errors = check.data?.errors ?? [];
  if (errors.length > 0)
    return (
      <Alert color="yellow" title={words.errors}>
        {errors.map(({ path, message }) => (
          <Text size="sm" key={`${path} ${message}`}>
            {path || '/'}: {message}
          </Text>
        ))}
      </Alert>
    );
  const { data } = preview;
  return (
    <>
      <Card withBorder aria-live="polite">
        <Text size="lg">{check.data?.sentence ?? ''}</Text>
        <Group mt="sm" gap="xl" className="figure">
          <Text>
            {words.selects}: <b>{data ? `${data.exact ? '' : '≈ '}${number(data.count)}` : '…'}</b>
          </Text>
          {data && (
            <Text c="dimmed">
              {words.protected}: {number(data.protected)}
            </Text>
          )}
        </Group>
      </Card>
      {preview.isError && <Failed error={preview.error} onRetry={() => preview.refetch()} />}
      {data && data.per_condition.length > 0 && (
        <Rows
          items={data.per_condition}
          keyOf={({ path }) => path}
          columns={[
            { title: words.condition, show: ({ path, field }) => `${field} (${path})` },
            { title: words.removes, align: 'right', show: ({ removes }) => number(removes) },
          ]}
        />
      )}
      {usable && <TryPlayer brand={brand} rule={rule} />}
    </>
  );
}
