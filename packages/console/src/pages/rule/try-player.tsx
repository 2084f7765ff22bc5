import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { namedField } from '../../rule-builder/index.ts';
import { useText } from '../../text/text.tsx';
import { Rows } from '../../ui/list.tsx';
import { Failed } from '../../ui/states.tsx';
import { State } from '../../ui/values.tsx';
import { FieldValue } from './field-value.tsx';
import { ConditionSentence } from './rule-sentence.tsx';
import { useRuleFields } from './use-rule-fields.ts';

/** Shows whether a rule holds for one player, and the value that each condition found. */
export function TryPlayer({ brand, rule }: { brand: string; rule: unknown }) {
  const { rules: words } = useText();
  const fields = useRuleFields().data?.items ?? [];
  const [user_id, setUserId] = useState('');
  const params = { path: { brand } };
  const tried = useMutation({
    // The answer belongs to the rule that was tried. The rule may be edited afterwards.
    mutationFn: async () => ({
      rule,
      ...(await bodyOf(api.POST('/api/console/v1/brands/{brand}/rules/try', { params, body: { rule, user_id } }))),
    }),
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
            {
              title: words.condition,
              show: ({ path, sentence }) => <ConditionSentence rule={tried.data.rule} path={path} english={sentence} />,
            },
            {
              title: words.actual,
              show: ({ field, actual }) => <FieldValue field={namedField(fields, field).field} value={actual} />,
            },
            { title: words.holds, show: ({ holds }) => answer(holds) },
          ]}
        />
      )}
    </Stack>
  );
}
