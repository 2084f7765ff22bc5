import { Button, Group, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { brandsQuery, sessionQuery } from '../../api/queries.ts';
import { ownAccount } from '../../text/own-account.ts';
import { places } from '../../text/places.ts';
import { settings } from '../../text/settings.ts';
import { useText, useWords } from '../../text/text.tsx';
import { List } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { Moment, State } from '../../ui/values.tsx';
import { AccountMenu } from './accounts/account-menu.tsx';
import { NewPassword } from './accounts/new-password.tsx';
import { accountsKey, type Credentials, readAccounts, useAccountActions } from './accounts/use-account-actions.ts';
import { type AccountOfRoles, ChangeRoles } from './change-roles.tsx';
import { NewAccount } from './new-account.tsx';
import { SecondFactorRule } from './second-factor/rule.tsx';
import { SessionList } from './session-list.tsx';

/** All accounts of the console with their roles, including disabled ones. */
export function Accounts() {
  const { accounts: words, sessions } = useWords(settings);
  const { admin: own } = useWords(ownAccount);
  const title = useWords(places).pages.accounts;
  const { common } = useText();
  const [made, setMade] = useState<Credentials | undefined>();
  const [shown, setShown] = useState<{ account_id: number; email: string } | undefined>();
  const [changed, setChanged] = useState<AccountOfRoles | undefined>();
  const session = useQuery(sessionQuery);
  const brands = useQuery(brandsQuery).data?.items;
  const nameOfBrand = (brand: string) => brands?.find(({ code }) => code === brand)?.name ?? brand;
  const { dialog, ...actions } = useAccountActions(setMade);
  return (
    <Page title={title} about={words.about}>
      <NewAccount touches={accountsKey} onMade={setMade} />
      {made !== undefined && <NewPassword of={made} onClose={() => setMade(undefined)} />}
      <List
        name={accountsKey}
        read={readAccounts}
        keyOf={({ account_id }) => account_id}
        empty={words.none}
        columns={[
          { title: words.email, show: ({ email }) => email },
          {
            title: words.role,
            show: ({ grants }) =>
              grants
                .map(({ brand, role }) => `${words.roles[role]} (${brand === null ? words.every : nameOfBrand(brand)})`)
                .join(', ') || common.none,
          },
          {
            title: common.state,
            show: ({ disabled_at }) =>
              disabled_at === null ? (
                <State of="active" label={words.active} />
              ) : (
                <State of="failed" label={words.disabled} />
              ),
          },
          {
            title: own.means,
            show: ({ means: { totp, passkeys, single_sign_on } }) =>
              [
                ...(totp ? [own.app] : []),
                ...(passkeys > 0 ? [own.passkeys(passkeys)] : []),
                ...(single_sign_on ? [own.singleSignOn] : []),
              ].join(', ') || common.none,
          },
          { title: words.since, show: ({ created_at }) => <Moment at={created_at} /> },
          {
            title: common.actions,
            show: (account) => {
              const { account_id, email, grants, means } = account;
              return (
                <Group gap="xs" wrap="nowrap">
                  <Button size="xs" variant="light" onClick={() => setShown({ account_id, email })}>
                    {sessions.title}
                  </Button>
                  <AccountMenu
                    account={account}
                    isOwn={email === session.data?.actor}
                    actions={actions}
                    changeRoles={() => setChanged({ account_id, email, grants, isSingleSignOn: means.single_sign_on })}
                  />
                </Group>
              );
            },
          },
        ]}
      />
      <SecondFactorRule />
      {dialog}
      <ChangeRoles account={changed} touches={accountsKey} onClose={() => setChanged(undefined)} />
      <Modal
        opened={shown !== undefined}
        onClose={() => setShown(undefined)}
        title={`${sessions.of} ${shown?.email ?? ''}`}
        size="xl"
      >
        {shown !== undefined && <SessionList accountId={shown.account_id} />}
      </Modal>
    </Page>
  );
}
