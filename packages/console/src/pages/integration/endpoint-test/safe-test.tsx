import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { api, bodyOf } from '../../../api/client.ts';
import { endpointTests } from '../../../text/endpoint-tests.ts';
import { useWords } from '../../../text/text.tsx';
import { useCode } from '../../../text/use-code.ts';
import { Failed, Loading } from '../../../ui/states.tsx';
import { useNumber } from '../../../ui/values.tsx';
import type { SafeEndpoint } from './endpoints.ts';
import { Findings, ShownAnswer, ShownRequest } from './shown-call.tsx';

const colors = { works: 'green', not_offered: 'yellow', fails: 'red' } as const;

/** Calls an endpoint that changes nothing, and shows the request, the answer, and how Croupier judges it. */
export function SafeTest({ brand, endpoint }: { brand: string; endpoint: SafeEndpoint }) {
  const words = useWords(endpointTests);
  const nameOf = useCode();
  const number = useNumber();
  const queries = useQueryClient();
  const [sid, setSid] = useState('');
  const test = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/api/console/v1/brands/{brand}/operator-tests', {
          params: { path: { brand } },
          body: { endpoint, ...(sid.trim() !== '' && { sid: sid.trim() }) },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: [brand, 'operator-health'] }),
  });
  const needsInput = endpoint === 'authenticate';
  const { mutate } = test;
  // A person already requested the call with the button that opened the dialog.
  useEffect(() => {
    if (!needsInput) mutate();
  }, [needsInput, mutate]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  const { data } = test;
  return (
    <form onSubmit={submit}>
      <Stack>
        {needsInput && (
          <TextInput
            label={words.sid}
            description={words.sidHint}
            autoComplete="off"
            value={sid}
            onChange={({ currentTarget }) => setSid(currentTarget.value)}
          />
        )}
        {test.isPending && <Loading />}
        {test.error !== null && <Failed error={test.error} />}
        {data !== undefined && !test.isPending && (
          <>
            <ShownRequest request={data.request} />
            <ShownAnswer
              status={endpoint === 'token' && data.outcome === 'works' ? undefined : data.status}
              took_ms={data.took_ms}
              body={data.body}
              isCut={data.body_cut}
              color={colors[data.outcome]}
              title={words.outcomes[data.outcome]}
            >
              {data.outcome === 'not_offered' && <Text size="sm">{words.notOffered}</Text>}
              {data.reason !== null && <Text size="sm">{nameOf(data.reason)}</Text>}
              {data.detail !== null && <Text size="sm">{data.detail}</Text>}
              {data.entries !== null && <Text size="sm">{words.entries(number(data.entries))}</Text>}
              <Findings of={data.findings} />
            </ShownAnswer>
          </>
        )}
        <Group justify="flex-end">
          <Button type="submit" variant={test.isIdle ? 'filled' : 'default'} disabled={test.isPending}>
            {test.isIdle ? words.start : words.again}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
