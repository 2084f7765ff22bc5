import { Button, Group, SegmentedControl, Stack, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { api, bodyOf } from '../api/client.ts';
import { useText } from '../text/text.tsx';
import { codeOf } from '../ui/code-of.ts';
import { LeaveGuard } from '../ui/leave-guard.tsx';
import { Failed } from '../ui/states.tsx';
import { ListInput } from './list-input.tsx';
import { RuleEditor } from './rule/rule-editor.tsx';
import { readRule, writeRule } from './rule/rule-text.ts';
import { useUnknownIds } from './unknown-ids.ts';
import { userIdsOf } from './user-ids.ts';

const first = writeRule({ combinator: 'and', rules: [{ field: 'trait.deposit_count', operator: '>=', value: 1 }] });

/** Creates a segment from a rule or from a list of players. It is a draft until it is published on its page. */
export function NewSegment() {
  const { brand } = useParams({ from: '/$brand' });
  const { segments: words, common } = useText();
  const [name, setName] = useState('');
  // Null until the user types a code. Until then, the code follows the name.
  const [ownCode, setOwnCode] = useState<string | null>(null);
  const code = ownCode ?? codeOf(name);
  const [text, setText] = useState(first);
  const [made, setMade] = useState('rule');
  const [list, setList] = useState('');
  const isList = made === 'list';
  const navigate = useNavigate();
  const queries = useQueryClient();
  const showUnknownIds = useUnknownIds();
  const { rule, problem } = readRule(text);
  const isChanged = name !== '' || ownCode !== null || text !== first || list !== '';
  const make = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/api/console/v1/brands/{brand}/segments', {
          params: { path: { brand } },
          body: { code, name, ...(isList ? { user_ids: userIdsOf(list) } : { rule }) },
        }),
      ),
    onSuccess: async ({ list: saved }) => {
      showUnknownIds(saved);
      await queries.invalidateQueries({ queryKey: [brand, 'segments'] });
      await navigate({ to: '/$brand/segments/$code', params: { brand, code }, ignoreBlocker: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <Stack>
      <LeaveGuard isChanged={isChanged} isSaving={make.isPending} />
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
            onChange={(event) => setOwnCode(event.currentTarget.value)}
          />
          <Button type="submit" disabled={isList ? list.trim() === '' : problem !== null} loading={make.isPending}>
            {words.saveDraft}
          </Button>
        </Group>
      </form>
      {make.isError && <Failed error={make.error} />}
      <Group>
        <SegmentedControl
          aria-label={words.madeFrom}
          value={made}
          onChange={setMade}
          data={[
            { value: 'rule', label: words.fromRule },
            { value: 'list', label: words.fromList },
          ]}
        />
      </Group>
      {isList ? (
        <ListInput text={list} onChange={setList} />
      ) : (
        <RuleEditor brand={brand} text={text} onChange={setText} />
      )}
    </Stack>
  );
}
