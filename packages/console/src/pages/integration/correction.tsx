import { Alert, Button, Group, JsonInput, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { integration } from '../../text/integration.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Sure, useAct } from '../../ui/act.tsx';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import { indented } from './indented.ts';

/** Milliseconds without typing after which the platform checks a body. */
const typingMs = 200;

interface CorrectionProps {
  brand: string;
  quarantineId: number;
  /** The body as it was sent. */
  body: string;
}

/** Edits a quarantined body. While the user types, the platform checks the body in the same way as an event. */
export function Correction({ brand, quarantineId: quarantine_id, body }: CorrectionProps) {
  const { quarantine: words } = useWords(integration);
  const { common } = useText();
  const [typed, setTyped] = useState(() => formatted(body));
  const [note, setNote] = useState('');
  const [settled] = useDebouncedValue(typed, typingMs);
  const params = { path: { brand, quarantine_id } };
  const check = useQuery({
    queryKey: [brand, 'quarantine-check', quarantine_id, settled],
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
    queryFn: () =>
      bodyOf(
        api.POST('/api/console/v1/brands/{brand}/quarantine/{quarantine_id}/check', {
          params,
          body: { body: settled },
        }),
      ),
  });
  const touches = [brand, 'quarantined', quarantine_id];
  const reinject = useAct(
    () =>
      api.POST('/api/console/v1/brands/{brand}/quarantine/{quarantine_id}/reinject', {
        params,
        body: typed === body ? {} : { body: typed },
      }),
    { touches, done: words.reinjected },
  );
  const dismiss = useAct(
    () => api.POST('/api/console/v1/brands/{brand}/quarantine/{quarantine_id}/dismiss', { params, body: { note } }),
    { touches, done: words.dismissed },
  );
  const isDone = reinject.isSuccess || dismiss.isSuccess;
  const isChanged = !isDone && ((typed !== body && typed !== formatted(body)) || note !== '');
  const errors = check.data?.errors;
  const isValid = settled === typed && !check.isFetching && errors?.length === 0;
  return (
    <Stack>
      <LeaveGuard isChanged={isChanged} isSaving={reinject.isPending || dismiss.isPending} />
      <JsonInput
        label={words.body}
        value={typed}
        onChange={setTyped}
        autosize
        minRows={8}
        maxRows={30}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <div aria-live="polite">
        {errors === undefined && <Text size="sm">{words.checking}</Text>}
        {errors?.length === 0 && <Alert color="green">{words.valid}</Alert>}
        {errors !== undefined && errors.length > 0 && (
          <Alert color="red" title={words.wrong}>
            {errors.map(({ path, rule, message }) => (
              <Text key={`${path} ${rule}`} size="sm">
                {message}
              </Text>
            ))}
          </Alert>
        )}
      </div>
      <Group>
        <Button disabled={!isValid} loading={reinject.isPending} onClick={() => reinject.mutate()}>
          {words.reinject}
        </Button>
        <Button variant="default" onClick={() => setTyped(formatted(typed))}>
          {words.format}
        </Button>
        <Button variant="default" onClick={() => setTyped(body)}>
          {words.asSent}
        </Button>
      </Group>
      <Group align="flex-end">
        <TextInput
          label={words.dismissWhy}
          value={note}
          w={360}
          maw="100%"
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        <Sure
          label={words.dismiss}
          text={`${words.dismissWhy}: ${note || common.none}`}
          color="red"
          disabled={note.trim() === ''}
          loading={dismiss.isPending}
          onSure={() => dismiss.mutate()}
        />
      </Group>
    </Stack>
  );
}

/** Indents a body. A body that is not JSON stays as it is, and numbers stay as they were sent. */
function formatted(body: string): string {
  try {
    JSON.parse(body);
  } catch {
    return body;
  }
  return indented(body);
}
