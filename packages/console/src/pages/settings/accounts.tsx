import { Alert, Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { brandsQuery, sessionQuery } from '../../api/queries.ts';
import { ownAccount } from '../../text/own-account.ts';
import { places } from '../../text/places.ts';
import { settings } from '../../text/settings.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useAct } from '../../ui/act.tsx';
import { List } from '../../ui/list.tsx';
import { MoreMenu } from '../../ui/more-menu.tsx';
import { Page } from '../../ui/page.tsx';
import { useProof } from '../../ui/proof.tsx';
import { useUndo } from '../../ui/undo.tsx';
import { Moment, State } from '../../ui/values.tsx';
import { type AccountOfRoles, ChangeRoles } from './change-roles.tsx';
import { NewAccount } from './new-account.tsx';
import { SecondFactorRule } from './second-factor/rule.tsx';
import { SessionList } from './session-list.tsx';

const touches = ['accounts'];

/** All accounts of the console with their roles, including disabled ones. */
export function Accounts() {
  const { accounts: words, sessions } = useWords(settings);
  const { admin: own } = useWords(ownAccount);
  const title = useWords(places).pages.accounts;
  const { common } = useText();
  const [made, setMade] = useState<{ email: string; password: string } | undefined>();
  const [shown, setShown] = useState<{ account_id: number; email: string } | undefined>();
  const [changed, setChanged] = useState<AccountOfRoles | undefined>();
  const able = useAct(
    ({ account_id, to }: { account_id: number; to: 'disable' | 'enable' }) =>
      api.POST(`/api/console/v1/accounts/{account_id}/${to}`, { params: { path: { account_id } } }),
    { touches },
  );
  const offerUndo = useUndo();
  const session = useQuery(sessionQuery);
  const brands = useQuery(brandsQuery).data?.items;
  const nameOfBrand = (brand: string) => brands?.find(({ code }) => code === brand)?.name ?? brand;
  const disable = (account_id: number, email: string) =>
    able.mutate(
      { account_id, to: 'disable' },
      { onSuccess: () => offerUndo(words.nowDisabled(email), () => able.mutateAsync({ account_id, to: 'enable' })) },
    );
  const reset = useAct(
    (account_id: number) =>
      bodyOf(
        api.POST('/api/console/v1/accounts/{account_id}/password', { params: { path: { account_id } }, body: {} }),
      ),
    { touches, onDone: setMade },
  );
  const { prove, dialog } = useProof();
  const resetFactors = useAct(
    (account_id: number) =>
      prove(() =>
        api.DELETE('/api/console/v1/accounts/{account_id}/second-factors', { params: { path: { account_id } } }),
      ),
    { touches, done: own.resetDone },
  );
  const unlink = useAct(
    (account_id: number) =>
      prove(() => api.DELETE('/api/console/v1/accounts/{account_id}/identity', { params: { path: { account_id } } })),
    { touches, done: own.unlinked },
  );
  return (
    <Page title={title} about={words.about}>
      <NewAccount touches={touches} onMade={setMade} />
      {made !== undefined && (
        <Alert color="green" title={`${words.made}: ${made.email}`}>
          <Stack align="flex-start">
            <Text size="sm">{words.once}</Text>
            <Code block data-testid="new-password">
              {made.password}
            </Code>
            <Button variant="default" onClick={() => setMade(undefined)}>
              {words.close}
            </Button>
          </Stack>
        </Alert>
      )}
      <List
        name={touches}
        read={() => bodyOf(api.GET('/api/console/v1/accounts'))}
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
            show: ({ account_id, email, grants, disabled_at, means }) => (
              <Group gap="xs" wrap="nowrap">
                <Button size="xs" variant="light" onClick={() => setShown({ account_id, email })}>
                  {sessions.title}
                </Button>
                <MoreMenu
                  name={email}
                  actions={[
                    ...(email === session.data?.actor
                      ? []
                      : [
                          {
                            label: words.changeRoles,
                            isDisabled: false,
                            onSure: () =>
                              setChanged({ account_id, email, grants, isSingleSignOn: means.single_sign_on }),
                          },
                        ]),
                    {
                      label: words.password,
                      text: words.passwordSure,
                      isDisabled: false,
                      onSure: () => reset.mutate(account_id),
                    },
                    ...(means.totp || means.passkeys > 0
                      ? [
                          {
                            label: own.reset,
                            text: own.resetSure,
                            isDisabled: false,
                            onSure: () => resetFactors.mutate(account_id),
                          },
                        ]
                      : []),
                    ...(means.single_sign_on
                      ? [
                          {
                            label: own.unlink,
                            text: own.unlinkSure,
                            isDisabled: false,
                            onSure: () => unlink.mutate(account_id),
                          },
                        ]
                      : []),
                    ...(disabled_at === null && email !== session.data?.actor
                      ? [{ label: words.disable, isDisabled: false, onSure: () => disable(account_id, email) }]
                      : []),
                    ...(disabled_at === null
                      ? []
                      : [
                          {
                            label: words.enable,
                            isDisabled: false,
                            onSure: () => able.mutate({ account_id, to: 'enable' }),
                          },
                        ]),
                  ]}
                />
              </Group>
            ),
          },
        ]}
      />
      <SecondFactorRule />
      {dialog}
      <ChangeRoles account={changed} touches={touches} onClose={() => setChanged(undefined)} />
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
