import { Alert, Button, Center, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiProblem, api, bodyOf } from '../api/client.ts';
import { useText } from '../text/text.tsx';
import { type AskedFactor, SecondFactor } from './sign-in/second-factor.tsx';

export function SignIn() {
  const text = useText();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { back } = useSearch({ from: '/sign-in' });
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [asked, setAsked] = useState<AskedFactor>();
  const enter = () => {
    queries.clear();
    return navigate({ to: back ?? '/' });
  };
  const signIn = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/console/v1/session', { body: { email, password, cookie: true } })),
    onSuccess: ({ second_factor }) => {
      if (second_factor === null) return enter();
      setPassword('');
      setAsked(second_factor);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  const { error } = signIn;
  const isRefused = error instanceof ApiProblem && error.status === 401;
  return (
    <Center mih="100vh" p="md">
      <Paper component="main" withBorder p="xl" w={400}>
        {asked !== undefined ? (
          <SecondFactor asked={asked} onSignedIn={enter} onBack={() => setAsked(undefined)} />
        ) : (
          <form onSubmit={submit}>
            <Stack>
              <Title order={1} size="h3">
                {text.signIn.title}
              </Title>
              {error && (
                <Alert color="red" role="alert">
                  {isRefused ? text.signIn.refused : error.message}
                </Alert>
              )}
              <TextInput
                type="email"
                label={text.signIn.email}
                autoComplete="username"
                required
                withAsterisk={false}
                autoFocus
                value={email}
                onChange={(event) => setEmail(event.currentTarget.value)}
              />
              <PasswordInput
                label={text.signIn.password}
                autoComplete="current-password"
                required
                withAsterisk={false}
                value={password}
                onChange={(event) => setPassword(event.currentTarget.value)}
              />
              <Button type="submit" loading={signIn.isPending}>
                {text.signIn.submit}
              </Button>
              <Text size="sm" c="dimmed">
                {text.signIn.hint}
              </Text>
            </Stack>
          </form>
        )}
      </Paper>
    </Center>
  );
}
