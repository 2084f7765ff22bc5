import { Alert, Button, Center, Loader, Paper, Stack, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiProblem, api, bodyOf } from '../../api/client.ts';
import { arrivedWith } from '../../app/arrival.ts';
import { singleSignOn } from '../../text/single-sign-on.ts';
import { useText, useWords } from '../../text/text.tsx';
import { refusalOf } from './refusal-of.ts';
import { type AskedFactor, SecondFactor } from './second-factor.tsx';
import { takeTicket } from './sign-on-ticket.ts';

/**
 * The page to which the identity provider sends the browser back. The provider's answer is sent to the platform once,
 * and is removed from the address immediately.
 */
export function SignInAnswer() {
  const text = useText();
  const words = useWords(singleSignOn);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<AskedFactor>();
  const [back, setBack] = useState<string>();
  const enter = (to: string | undefined) => {
    queries.clear();
    return navigate({ to: to ?? '/' });
  };
  const { mutate, error } = useMutation({
    mutationFn: async () => {
      const held = takeTicket();
      if (held === null) throw new ApiProblem(401, { detail: words.refused.expired ?? '' });
      setBack(held.back);
      const body = { ticket: held.ticket, answer: arrivedWith, cookie: true };
      const answer = await bodyOf(api.POST('/api/console/v1/session/single-sign-on/answer', { body }));
      return { ...answer, back: held.back };
    },
    onSuccess: ({ second_factor, back: to }) => (second_factor === null ? enter(to) : setAsked(second_factor)),
  });
  useEffect(() => {
    window.history.replaceState(null, '', window.location.pathname);
    mutate();
  }, [mutate]);
  const toSignIn = () => navigate({ to: '/sign-in', search: back === undefined ? {} : { back } });
  return (
    <Center mih="100vh" p="md">
      <Paper component="main" withBorder p="xl" w={400}>
        {asked !== undefined ? (
          <SecondFactor asked={asked} onSignedIn={() => enter(back)} onBack={toSignIn} />
        ) : (
          <Stack>
            <Title order={1} size="h3">
              {text.signIn.title}
            </Title>
            {error === null ? (
              <Center role="status" aria-label={words.waiting}>
                <Loader />
              </Center>
            ) : (
              <>
                <Alert color="red" role="alert">
                  {refusalOf(error, words.refused)}
                </Alert>
                <Button onClick={toSignIn}>{words.back}</Button>
              </>
            )}
          </Stack>
        )}
      </Paper>
    </Center>
  );
}
