import { Alert, Button, Group, Modal, Stack, Table, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { ApiProblem, api, bodyOf } from '../../../api/client.ts';
import { createPasskey } from '../../../api/passkeys.ts';
import { ownAccount } from '../../../text/own-account.ts';
import { useText, useWords } from '../../../text/text.tsx';
import { Sure, useAct } from '../../../ui/act.tsx';
import { Moment } from '../../../ui/values.tsx';
import type { FactorProps } from './factor-props.ts';

interface Passkey {
  passkey_id: number;
  name: string;
  added_at: string;
  last_used_at: string | null;
}

interface PasskeysProps extends FactorProps {
  passkeys: readonly Passkey[];
  isPossible: boolean;
}

/** Lists the passkeys and security keys of one's own account. The user can add one with a name, or remove one. */
export function Passkeys({ passkeys, isPossible, prove, touches, onAdded }: PasskeysProps) {
  const { factors: words } = useWords(ownAccount);
  const { common } = useText();
  const [isOpen, { open, close }] = useDisclosure();
  const remove = useAct(
    (passkey_id: number) =>
      prove(() =>
        api.DELETE('/api/console/v1/second-factors/passkeys/{passkey_id}', { params: { path: { passkey_id } } }),
      ),
    { touches, done: words.removed },
  );
  const [renaming, setRenaming] = useState<Pick<Passkey, 'passkey_id' | 'name'>>();
  const added = (codes: readonly string[]) => {
    close();
    onAdded(codes);
  };
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text fw={500}>{words.passkeys}</Text>
        <Button variant="light" disabled={!isPossible} onClick={open}>
          {words.passkeyAdd}
        </Button>
      </Group>
      {!isPossible && <Text size="sm">{words.impossible}</Text>}
      {passkeys.length === 0 ? (
        <Text size="sm" c="dimmed">
          {words.noPasskeys}
        </Text>
      ) : (
        <Table.ScrollContainer minWidth={420}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{common.name}</Table.Th>
                <Table.Th>{words.added}</Table.Th>
                <Table.Th>{words.lastUsed}</Table.Th>
                <Table.Th>{common.what}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {passkeys.map(({ passkey_id, name, added_at, last_used_at }) => (
                <Table.Tr key={passkey_id}>
                  <Table.Td>{name}</Table.Td>
                  <Table.Td>
                    <Moment at={added_at} />
                  </Table.Td>
                  <Table.Td>{last_used_at === null ? words.never : <Moment at={last_used_at} />}</Table.Td>
                  <Table.Td>
                    <Group gap="xs">
                      <Button
                        size="xs"
                        variant="default"
                        aria-label={words.passkeyRenameOf(name)}
                        onClick={() => setRenaming({ passkey_id, name })}
                      >
                        {words.passkeyRename}
                      </Button>
                      <Sure
                        size="xs"
                        color="red"
                        label={words.passkeyRemove}
                        text={`${name}: ${words.passkeyRemoveSure}`}
                        onSure={() => remove.mutate(passkey_id)}
                      />
                    </Group>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <Modal opened={isOpen} onClose={close} title={words.passkeyAdd}>
        <NewPasskey prove={prove} touches={touches} onAdded={added} />
      </Modal>
      <Modal opened={renaming !== undefined} onClose={() => setRenaming(undefined)} title={words.passkeyRename}>
        {renaming && <RenamedPasskey {...renaming} touches={touches} onDone={() => setRenaming(undefined)} />}
      </Modal>
    </Stack>
  );
}

interface RenamedPasskeyProps extends Pick<FactorProps, 'touches'>, Pick<Passkey, 'passkey_id' | 'name'> {
  onDone(): void;
}

function RenamedPasskey({ passkey_id, name, touches, onDone }: RenamedPasskeyProps) {
  const { factors: words } = useWords(ownAccount);
  const [written, setWritten] = useState(name);
  const rename = useAct(
    () =>
      api.PUT('/api/console/v1/second-factors/passkeys/{passkey_id}', {
        params: { path: { passkey_id } },
        body: { name: written.trim() },
      }),
    { touches, done: words.passkeyRenamed, onDone },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <PasskeyName name={written} onChange={setWritten} />
        <Group justify="flex-end">
          <Button type="submit" disabled={written.trim() === ''} loading={rename.isPending}>
            {words.passkeySave}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function PasskeyName({ name, onChange }: { name: string; onChange(name: string): void }) {
  const { factors: words } = useWords(ownAccount);
  return (
    <TextInput
      label={words.passkeyName}
      description={words.passkeyNameHint}
      maxLength={100}
      data-autofocus
      value={name}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function NewPasskey({ prove, touches, onAdded }: FactorProps) {
  const { factors: words } = useWords(ownAccount);
  const [name, setName] = useState('');
  const [failure, setFailure] = useState<string>();
  const add = useAct(
    async () => {
      const { options, ticket } = await prove(() =>
        bodyOf(api.POST('/api/console/v1/second-factors/passkeys/options')),
      );
      const response = await createPasskey(options).catch(() => null);
      if (response === null) return null;
      const body = { ticket, name: name.trim(), response };
      return prove(() => bodyOf(api.POST('/api/console/v1/second-factors/passkeys', { body }))).catch(
        (error: unknown) => {
          if (!(error instanceof ApiProblem) || error.status !== 409) throw error;
          return null;
        },
      );
    },
    {
      touches,
      onDone: (answer) => {
        setFailure(answer === null ? words.passkeyFailed : undefined);
        if (answer !== null) onAdded(answer.recovery_codes ?? []);
      },
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {failure !== undefined && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        <PasskeyName name={name} onChange={setName} />
        <Group justify="flex-end">
          <Button type="submit" disabled={name.trim() === ''} loading={add.isPending}>
            {words.passkeyGo}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
