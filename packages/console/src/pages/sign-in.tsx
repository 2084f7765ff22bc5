import { Alert, Button, Center, Divider, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiProblem, api, bodyOf } from '../api/client.ts';
import { singleSignOn } from '../text/single-sign-on.ts';
import { useText, useWords } from '../text/text.tsx';
import { type AskedFactor, SecondFactor } from './sign-in/second-factor.tsx';
import { SingleSignOnButton } from './sign-in/single-sign-on-button.tsx';

export function SignIn() {
  const text = useText();
  const words = useWords(singleSignOn);
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
  const options = useQuery({
    queryKey: ['sign-in-options'],
    queryFn: () => bodyOf(api.GET('/api/console/v1/session/options')),
    staleTime: 60_000,
  });
  // If the options cannot be read, the page offers the password.
  const { password: takesPassword = true, single_sign_on: provider = null } = options.data ?? {};
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
              {provider !== null && <SingleSignOnButton name={provider.name} back={back} />}
              {provider !== null && takesPassword && <Divider label={words.or} />}
              {takesPassword ? (
                <>
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
                </>
              ) : (
                <Text size="sm" c="dimmed">
                  {words.only}
                </Text>
              )}
            </Stack>
          </form>
        )}
      </Paper>
    </Center>
  );
}
