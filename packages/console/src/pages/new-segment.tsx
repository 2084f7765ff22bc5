import { Button, Group, Stack, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { api } from '../api/client.ts';
import { useText } from '../text/text.tsx';
import { Failed } from '../ui/states.tsx';
import { RuleEditor } from './rule/rule-editor.tsx';
import { readRule, writeRule } from './rule/rule-text.ts';

const first = writeRule({ combinator: 'and', rules: [{ field: 'trait.deposit_count', operator: '>=', value: 1 }] });

/** A segment that is made from a rule; it begins as a draft, which its page publishes. */
export function NewSegment() {
  const { brand } = useParams({ from: '/$brand' });
  const { segments: words, common } = useText();
  const [name, setName] = useState('');
  const [code, setCode] = useState('');
  const [text, setText] = useState(first);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { rule, problem } = readRule(text);
  const make = useMutation({
    mutationFn: () =>
      api.POST('/api/console/v1/brands/{brand}/segments', { params: { path: { brand } }, body: { code, name, rule } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [brand, 'segments'] });
      await navigate({ to: '/$brand/segments/$code', params: { brand, code } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <Stack>
      <Title order={2}>{words.make}</Title>
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput
            label={common.name}
            required
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label={common.code}
            required
            value={code}
            pattern="[a-z0-9][a-z0-9_\-]{0,63}"
            title={words.codeHint}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <Button type="submit" disabled={problem !== null} loading={make.isPending}>
            {words.saveDraft}
          </Button>
        </Group>
      </form>
      {make.isError && <Failed error={make.error} />}
      <RuleEditor brand={brand} text={text} onChange={setText} />
    </Stack>
  );
}
