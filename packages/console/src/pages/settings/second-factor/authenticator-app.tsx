import { Alert, Button, Center, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiProblem, api, bodyOf } from '../../../api/client.ts';
import { ownAccount } from '../../../text/own-account.ts';
import { useWords } from '../../../text/text.tsx';
import { Sure, useAct } from '../../../ui/act.tsx';
import { Moment } from '../../../ui/values.tsx';
import type { FactorProps } from './factor-props.ts';
import { QrCode } from './qr-code.tsx';

interface AuthenticatorAppProps extends FactorProps {
  addedAt: string | null;
}

/** The authenticator app. It is set up with a QR code and a first code, and can be removed. */
export function AuthenticatorApp({ addedAt, prove, touches, onAdded }: AuthenticatorAppProps) {
  const { factors: words } = useWords(ownAccount);
  const [enrollment, setEnrollment] = useState<{ secret: string; uri: string }>();
  const begin = useAct(() => prove(() => bodyOf(api.POST('/api/console/v1/second-factors/totp'))), {
    touches,
    onDone: setEnrollment,
  });
  const remove = useAct(() => prove(() => api.DELETE('/api/console/v1/second-factors/totp')), {
    touches,
    done: words.removed,
  });
  const added = (codes: readonly string[]) => {
    setEnrollment(undefined);
    onAdded(codes);
  };
  return (
    <Group justify="space-between">
      <Group gap="xs">
        <Text fw={500}>{words.app}</Text>
        <Text size="sm" c="dimmed" component="span">
          {addedAt === null ? (
            words.appOff
          ) : (
            <>
              {words.appOn} <Moment at={addedAt} />
            </>
          )}
        </Text>
      </Group>
      {addedAt === null ? (
        <Button variant="light" loading={begin.isPending} onClick={() => begin.mutate()}>
          {words.appAdd}
        </Button>
      ) : (
        <Sure color="red" label={words.appRemove} text={words.appRemoveSure} onSure={() => remove.mutate()} />
      )}
      <Modal opened={enrollment !== undefined} onClose={() => setEnrollment(undefined)} title={words.appAdd}>
        {enrollment !== undefined && <Confirmation {...enrollment} prove={prove} touches={touches} onAdded={added} />}
      </Modal>
    </Group>
  );
}

function Confirmation({ secret, uri, prove, touches, onAdded }: FactorProps & { secret: string; uri: string }) {
  const { factors: words } = useWords(ownAccount);
  const [code, setCode] = useState('');
  const [isWrong, setWrong] = useState(false);
  const digits = code.replaceAll(/\s/g, '');
  const confirm = useAct(
    () =>
      prove(() => bodyOf(api.POST('/api/console/v1/second-factors/totp/confirm', { body: { code: digits } }))).catch(
        (error: unknown) => {
          if (!(error instanceof ApiProblem) || error.status !== 409) throw error;
          return null;
        },
      ),
    {
      touches,
      onDone: (answer) => {
        setCode('');
        setWrong(answer === null);
        if (answer !== null) onAdded(answer.recovery_codes ?? []);
      },
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{words.scan}</Text>
        <Center>
          <QrCode of={uri} label={words.qr} />
        </Center>
        <Text size="sm">{words.orType}</Text>
        <Code block data-testid="totp-secret">
          {secret.match(/.{1,4}/g)?.join(' ')}
        </Code>
        {isWrong && (
          <Alert color="red" role="alert">
            {words.wrongCode}
          </Alert>
        )}
        <TextInput
          label={words.code}
          description={words.codeHint}
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={7}
          data-autofocus
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" disabled={!/^\d{6}$/.test(digits)} loading={confirm.isPending}>
            {words.confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
