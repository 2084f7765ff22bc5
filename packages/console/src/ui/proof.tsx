import { Alert, Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useCallback, useState } from 'react';
import { ApiProblem, api, bodyOf } from '../api/client.ts';
import { getPasskey } from '../api/passkeys.ts';
import { proofQuery } from '../api/queries.ts';
import { useSignOut } from '../app/use-sign-out.ts';
import { ownAccount } from '../text/own-account.ts';
import { useWords } from '../text/text.tsx';
import { Failed, Loading } from './states.tsx';

interface Waiting {
  resolve(): void;
  reject(reason: Error): void;
}

interface Prover {
  /**
   * Makes a call. The platform may require a proof of who the caller is. Then it asks the user for the proof, and makes
   * the call again.
   */
  prove<Output>(call: () => Promise<Output>): Promise<Output>;
  /** The dialog that asks for the proof. The page renders it at its end. */
  dialog: ReactNode;
}

/** Asks for the proof that a change of how accounts sign in requires. The proof must be from the last 15 minutes. */
export function useProof(): Prover {
  const { proof: words } = useWords(ownAccount);
  const [waiting, setWaiting] = useState<Waiting>();
  const prove = useCallback(async <Output,>(call: () => Promise<Output>): Promise<Output> => {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.code !== 'sign_in_again') throw error;
      await new Promise<void>((resolve, reject) => setWaiting({ resolve, reject }));
      return call();
    }
  }, []);
  const end = (how: (waiting: Waiting) => void) => {
    if (waiting !== undefined) how(waiting);
    setWaiting(undefined);
  };
  const cancel = () => end(({ reject }) => reject(new Error(words.cancelled)));
  const dialog = (
    <Modal opened={waiting !== undefined} onClose={cancel} title={words.title}>
      <ProofForm onProven={() => end(({ resolve }) => resolve())} onCancel={cancel} />
    </Modal>
  );
  return { prove, dialog };
}

function ProofForm({ onProven, onCancel }: { onProven(): void; onCancel(): void }) {
  const { proof: words } = useWords(ownAccount);
  const signOut = useSignOut();
  const possible = useQuery(proofQuery);
  if (possible.isPending) return <Loading />;
  if (possible.isLoadingError) return <Failed error={possible.error} onRetry={() => possible.refetch()} />;
  const { methods } = possible.data;
  if (methods.length > 0) return <Proof methods={methods} onProven={onProven} onCancel={onCancel} />;
  return (
    <Stack>
      <Text size="sm">{words.signIn}</Text>
      <Button onClick={() => void signOut({ onlyHere: true })}>{words.toSignIn}</Button>
    </Stack>
  );
}

type Method = 'password' | 'passkey' | 'totp' | 'recovery_code';

interface ProofProps {
  methods: readonly Method[];
  onProven(): void;
  onCancel(): void;
}

function Proof({ methods, onProven, onCancel }: ProofProps) {
  const { proof: words } = useWords(ownAccount);
  const [method, setMethod] = useState<Method>(methods[0] ?? 'password');
  const [given, setGiven] = useState('');
  const confirm = useMutation({
    mutationFn: async () => bodyOf(api.POST('/api/console/v1/session/proof', { body: await proofOf(method, given) })),
    onSuccess: onProven,
    onError: () => setGiven(''),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The dialog may be inside a form of the page, which must not be submitted.
    event.stopPropagation();
    confirm.mutate();
  };
  const choose = (next: Method) => {
    confirm.reset();
    setGiven('');
    setMethod(next);
  };
  const { error } = confirm;
  const input = {
    required: true,
    withAsterisk: false,
    'data-autofocus': true,
    value: given,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => setGiven(currentTarget.value),
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{words.about}</Text>
        {error && (
          <Alert color="red" role="alert">
            {error instanceof ApiProblem ? (error.status === 403 ? words.refused : error.message) : words.noPasskey}
          </Alert>
        )}
        {method === 'password' && (
          <PasswordInput label={words.field.password} autoComplete="current-password" {...input} />
        )}
        {(method === 'totp' || method === 'recovery_code') && (
          <TextInput
            key={method}
            label={words.field[method]}
            autoComplete="one-time-code"
            inputMode={method === 'totp' ? 'numeric' : 'text'}
            {...input}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={confirm.isPending}>
            {method === 'passkey' ? words.usePasskey : words.submit}
          </Button>
        </Group>
        <Group>
          {methods
            .filter((other) => other !== method)
            .map((other) => (
              <Button key={other} variant="subtle" size="xs" onClick={() => choose(other)}>
                {words.other[other]}
              </Button>
            ))}
        </Group>
      </Stack>
    </form>
  );
}

async function proofOf(method: Method, given: string) {
  switch (method) {
    case 'password':
      return { password: given };
    case 'totp':
      return { code: given.replaceAll(/\s/g, '') };
    case 'recovery_code':
      return { recovery_code: given.trim() };
    case 'passkey': {
      const { options, ticket } = await bodyOf(api.POST('/api/console/v1/session/proof/passkey'));
      return { ticket, passkey: await getPasskey(options) };
    }
  }
}
