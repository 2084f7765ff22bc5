import { Button, Group, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { brandsQuery } from '../../api/queries.ts';
import { settings } from '../../text/settings.ts';
import { useWords } from '../../text/text.tsx';
import { useAct } from '../../ui/act.tsx';
import { type Role, roles } from './roles.ts';

interface NewAccountProps {
  touches: readonly unknown[];
  onMade(credentials: { email: string; password: string }): void;
}

/** Adds an account with one role. Its password is generated and shown once. */
export function NewAccount({ touches, onMade }: NewAccountProps) {
  const { accounts: words } = useWords(settings);
  const brands = useQuery(brandsQuery);
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [brand, setBrand] = useState<string | null>(null);
  const create = useAct(
    () => bodyOf(api.POST('/api/console/v1/accounts', { body: { email: email.trim(), grants: [{ brand, role }] } })),
    {
      touches,
      onDone: (credentials) => {
        setEmail('');
        onMade(credentials);
      },
    },
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <Group align="flex-end">
        <TextInput
          type="email"
          label={words.email}
          required
          w={260}
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        <Select
          label={words.role}
          data={roles.map((value) => ({ value, label: words.roles[value] }))}
          value={role}
          allowDeselect={false}
          onChange={(value) => setRole(value as Role)}
        />
        <Select
          label={words.at}
          placeholder={words.every}
          clearable
          data={brands.data?.items.map(({ code, name }) => ({ value: code, label: name })) ?? []}
          value={brand}
          onChange={setBrand}
        />
        <Button type="submit" loading={create.isPending}>
          {words.create}
        </Button>
      </Group>
    </form>
  );
}
