import { Alert, Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { singleSignOn } from '../../text/single-sign-on.ts';
import { useWords } from '../../text/text.tsx';
import { refusalOf } from './refusal-of.ts';
import { holdTicket } from './sign-on-ticket.ts';

/** A button that opens the identity provider. */
export function SingleSignOnButton({ name, back }: { name: string; back: string | undefined }) {
  const words = useWords(singleSignOn);
  const begin = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/console/v1/session/single-sign-on')),
    onSuccess: ({ url, ticket }) => {
      holdTicket({ ticket, back });
      window.location.assign(url);
    },
  });
  return (
    <>
      {begin.error && (
        <Alert color="red" role="alert">
          {refusalOf(begin.error, words.refused)}
        </Alert>
      )}
      <Button variant="default" loading={begin.isPending || begin.isSuccess} onClick={() => begin.mutate()}>
        {words.with(name)}
      </Button>
    </>
  );
}
