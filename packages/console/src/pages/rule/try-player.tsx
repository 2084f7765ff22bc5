import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { useText } from '../../text/text.tsx';
import { Rows } from '../../ui/list.tsx';
import { Failed } from '../../ui/states.tsx';
import { State } from '../../ui/values.tsx';

/** Shows whether a rule holds for one player, and the value that each condition found. */
export function TryPlayer({ brand, rule }: { brand: string; rule: unknown }) {
  const { rules: words } = useText();
  const [user_id, setUserId] = useState('');
  const params = { path: { brand } };
  const tried = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/console/v1/brands/{brand}/rules/try', { params, body: { rule, user_id } })),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    tried.mutate();
  };
  const answer = (holds: boolean) => <State of={holds ? 'allowed' : 'withheld'} label={holds ? words.yes : words.no} />;
  return (
    <Stack gap="sm">
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput label={words.try} value={user_id} onChange={(event) => setUserId(event.currentTarget.value)} />
          <Button type="submit" variant="default" disabled={user_id === ''} loading={tried.isPending}>
            {words.tryIt}
          </Button>
          {tried.data && answer(tried.data.value)}
          {tried.data?.protected && <State of="held" label={words.isProtected} />}
        </Group>
      </form>
      {tried.isError && <Failed error={tried.error} />}
      {tried.data && (
        <Rows
          items={tried.data.trace}
          keyOf={({ path }) => path}
          columns={[
            { title: words.condition, show: ({ field, operator, value }) => `${field} ${operator} ${shown(value)}` },
            { title: words.actual, show: ({ actual }) => shown(actual) },
            { title: words.holds, show: ({ holds }) => answer(holds) },
          ]}
        />
      )}
    </Stack>
  );
}

function shown(value: unknown): string {
  if (value == null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
