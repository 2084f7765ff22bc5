import { Alert, Button, CloseButton, Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { brandsQuery } from '../../api/queries.ts';
import { settings } from '../../text/settings.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useAct } from '../../ui/act.tsx';
import { FormDialog, LeaveGuard } from '../../ui/leave-guard.tsx';
import { useUndo } from '../../ui/undo.tsx';
import { type Role, type RoleAt, roles } from './roles.ts';

export interface AccountOfRoles {
  account_id: number;
  email: string;
  grants: readonly RoleAt[];
  /** True if the identity provider may replace the roles at the next sign-in. */
  isSingleSignOn: boolean;
}

interface ChangeRolesProps {
  account: AccountOfRoles | undefined;
  touches: readonly unknown[];
  onClose(): void;
}

/** A dialog that replaces the roles of an account. They apply immediately, and Undo restores the previous ones. */
export function ChangeRoles({ account, touches, onClose }: ChangeRolesProps) {
  const { accounts: words } = useWords(settings);
  return (
    <FormDialog opened={account !== undefined} onClose={onClose} title={words.rolesOf(account?.email ?? '')} size="lg">
      {account !== undefined && <RolesForm account={account} touches={touches} onClose={onClose} />}
    </FormDialog>
  );
}

const sameRoles = (one: readonly RoleAt[], other: readonly RoleAt[]) =>
  one.length === other.length && one.every((a) => other.some((b) => a.brand === b.brand && a.role === b.role));

function RolesForm({ account, touches, onClose }: ChangeRolesProps & { account: AccountOfRoles }) {
  const { accounts: words } = useWords(settings);
  const { common } = useText();
  const offerUndo = useUndo();
  const brands = useQuery(brandsQuery).data?.items ?? [];
  const { account_id, email, grants } = account;
  const [rows, setRows] = useState<readonly RoleAt[]>(grants);
  const change = useAct(
    (to: readonly RoleAt[]) =>
      api.PUT('/api/console/v1/accounts/{account_id}/grants', {
        params: { path: { account_id } },
        body: { grants: [...to] },
      }),
    { touches },
  );
  const save = () =>
    change.mutate(rows, {
      onSuccess: () => {
        offerUndo(words.rolesChanged(email), () => change.mutateAsync(grants));
        onClose();
      },
    });
  const setRow = (place: number, to: Partial<RoleAt>) =>
    setRows(rows.map((row, at) => (at === place ? { ...row, ...to } : row)));
  const isRepeated = rows.some(({ brand, role }, place) =>
    rows.some((other, at) => at > place && other.brand === brand && other.role === role),
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <LeaveGuard isChanged={!sameRoles(rows, grants)} isSaving={change.isPending} />
      <Stack>
        <Text size="sm">{words.rolesAbout}</Text>
        {account.isSingleSignOn && <Alert color="yellow">{words.rolesSingleSignOn}</Alert>}
        {rows.length === 0 && <Text size="sm">{words.noRoles}</Text>}
        {rows.map(({ brand, role }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity, and holds no state
          <Group key={place} role="group" aria-label={words.roleNumber(place + 1)} align="flex-end" wrap="nowrap">
            <Select
              label={words.role}
              data={roles.map((value) => ({ value, label: words.roles[value] }))}
              value={role}
              allowDeselect={false}
              onChange={(value) => setRow(place, { role: value as Role })}
            />
            <Select
              label={words.at}
              placeholder={words.every}
              clearable
              data={brands.map(({ code, name }) => ({ value: code, label: name }))}
              value={brand}
              onChange={(value) => setRow(place, { brand: value })}
            />
            <CloseButton
              size="lg"
              aria-label={words.removeRole(place + 1)}
              onClick={() => setRows(rows.filter((_, at) => at !== place))}
            />
          </Group>
        ))}
        <div>
          <Button
            variant="default"
            size="xs"
            onClick={() => setRows([...rows, { brand: brands[0]?.code ?? null, role: 'viewer' }])}
          >
            {words.addRole}
          </Button>
        </div>
        {isRepeated && <Alert color="yellow">{words.repeatedRole}</Alert>}
        <Group justify="flex-end">
          <Button variant="default" disabled={change.isPending} onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={change.isPending} disabled={isRepeated || sameRoles(rows, grants)}>
            {words.saveRoles}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
