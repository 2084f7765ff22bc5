import { Alert, Button, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiProblem, api, bodyOf } from '../../api/client.ts';
import { getPasskey } from '../../api/passkeys.ts';
import { secondFactor } from '../../text/second-factor.ts';
import { useWords } from '../../text/text.tsx';

type Method = 'passkey' | 'totp' | 'recovery_code';

/** What the platform requires after the first factor. */
export interface AskedFactor {
  ticket: string;
  methods: Method[];
  expires_at: string;
}

interface SecondFactorProps {
  asked: AskedFactor;
  onSignedIn(): unknown;
  onBack(): void;
}

/** The second step of a sign-in. The user needs a passkey, a code, or a recovery code. */
export function SecondFactor({ asked: { ticket, methods }, onSignedIn, onBack }: SecondFactorProps) {
  const words = useWords(secondFactor).signIn;
  const [method, setMethod] = useState<Method>(methods[0] ?? 'totp');
  const [code, setCode] = useState('');
  const signIn = useMutation({
    mutationFn: async () => {
      if (method === 'passkey') {
        const challenge = await bodyOf(api.POST('/api/console/v1/session/second-factor/passkey', { body: { ticket } }));
        const passkey = await getPasskey(challenge.options);
        const body = { ticket: challenge.ticket, cookie: true, passkey };
        return bodyOf(api.POST('/api/console/v1/session/second-factor', { body }));
      }
      const given = method === 'totp' ? { code: code.replaceAll(/\s/g, '') } : { recovery_code: code.trim() };
      return bodyOf(api.POST('/api/console/v1/session/second-factor', { body: { ticket, cookie: true, ...given } }));
    },
    onSuccess: onSignedIn,
    onError: () => setCode(''),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  const choose = (next: Method) => {
    signIn.reset();
    setCode('');
    setMethod(next);
  };
  const { error } = signIn;
  const isRefused = error instanceof ApiProblem && error.status === 401;
  return (
    <form onSubmit={submit}>
      <Stack>
        <Title order={1} size="h3">
          {words.title}
        </Title>
        <Text size="sm">{words.about[method]}</Text>
        {error && (
          <Alert color="red" role="alert">
            {isRefused ? words.refused[method] : error instanceof ApiProblem ? error.message : words.noPasskey}
          </Alert>
        )}
        {method !== 'passkey' && (
          <TextInput
            key={method}
            label={words.field[method]}
            autoComplete="one-time-code"
            inputMode={method === 'totp' ? 'numeric' : 'text'}
            autoFocus
            required
            withAsterisk={false}
            value={code}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
          />
        )}
        <Button type="submit" loading={signIn.isPending}>
          {method === 'passkey' ? words.usePasskey : words.submit}
        </Button>
        {methods
          .filter((other) => other !== method)
          .map((other) => (
            <Button key={other} variant="default" size="xs" onClick={() => choose(other)}>
              {words.other[other]}
            </Button>
          ))}
        <Button variant="subtle" size="xs" onClick={onBack}>
          {words.back}
        </Button>
      </Stack>
    </form>
  );
}
