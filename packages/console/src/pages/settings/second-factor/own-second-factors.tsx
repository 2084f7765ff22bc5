import { Alert, Card, Divider, Group, Stack, Text, Title } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../../api/client.ts';
import { ownAccount } from '../../../text/own-account.ts';
import { useWords } from '../../../text/text.tsx';
import { Sure, useAct } from '../../../ui/act.tsx';
import { useProof } from '../../../ui/proof.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { AuthenticatorApp } from './authenticator-app.tsx';
import { Passkeys } from './passkeys.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/** Empty, so that all queries are read again: data that required a second factor is available now. */
const touches: readonly unknown[] = [];

/** The second factors of one's own account. */
export function OwnSecondFactors() {
  const { factors: words } = useWords(ownAccount);
  const { prove, dialog } = useProof();
  const [codes, setCodes] = useState<readonly string[]>([]);
  const factors = useQuery({
    queryKey: ['second-factors'],
    queryFn: () => bodyOf(api.GET('/api/console/v1/second-factors')),
  });
  const renew = useAct(() => prove(() => bodyOf(api.POST('/api/console/v1/second-factors/recovery-codes'))), {
    touches: ['second-factors'],
    onDone: ({ recovery_codes }) => setCodes(recovery_codes),
  });
  if (factors.isPending) return <Loading />;
  if (factors.isLoadingError) return <Failed error={factors.error} onRetry={() => factors.refetch()} />;
  const { totp, passkeys, recovery_codes, passkeys_possible, required, session_has_one } = factors.data;
  const given = { prove, touches, onAdded: setCodes };
  return (
    <Card withBorder>
      <Stack>
        <Title order={3} size="h4">
          {words.title}
        </Title>
        {required && !session_has_one && (
          <Alert color="yellow" icon={<IconShieldLock />} role="alert">
            {words.required}
          </Alert>
        )}
        <Text size="sm" c="dimmed">
          {words.about}
        </Text>
        <AuthenticatorApp addedAt={totp?.added_at ?? null} {...given} />
        <Divider />
        <Passkeys passkeys={passkeys} isPossible={passkeys_possible} {...given} />
        {(totp !== null || passkeys.length > 0) && (
          <>
            <Divider />
            <Group justify="space-between">
              <Group gap="xs">
                <Text fw={500}>{words.codes}</Text>
                <Text size="sm" c="dimmed">
                  {words.codesLeft(recovery_codes)}
                </Text>
              </Group>
              <Sure label={words.codesRenew} text={words.codesRenewSure} onSure={() => renew.mutate()} />
            </Group>
          </>
        )}
      </Stack>
      <RecoveryCodes codes={codes} onStored={() => setCodes([])} />
      {dialog}
    </Card>
  );
}
