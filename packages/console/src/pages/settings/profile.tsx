import { Button, Card, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { proofQuery, sessionQuery } from '../../api/queries.ts';
import { permissions as permissionTexts } from '../../text/permissions.ts';
import { places } from '../../text/places.ts';
import { settings } from '../../text/settings.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useAct } from '../../ui/act.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { OwnSecondFactors } from './second-factor/own-second-factors.tsx';
import { SessionList } from './session-list.tsx';

const shortestPassword = 12;

/** The signed-in account and its roles. */
export function Profile() {
  const brand = useBrand();
  const { profile: words, accounts, sessions } = useWords(settings);
  const title = useWords(places).pages.profile;
  const { common } = useText();
  const namesOfPermissions = useWords(permissionTexts);
  const session = useQuery(sessionQuery);
  const proof = useQuery(proofQuery);
  // An account of single sign-on has no password.
  const hasPassword = proof.data?.methods.includes('password') === true;
  const [present, setPresent] = useState('');
  const [next, setNext] = useState('');
  const change = useAct(
    () => api.PUT('/api/console/v1/session/password', { body: { password: present, new_password: next } }),
    { touches: ['session'], done: words.changed },
  );
  if (session.isPending) return <LoadingPage />;
  if (session.isLoadingError) return <FailedPage error={session.error} onRetry={() => session.refetch()} />;
  const { actor, grants, permissions } = session.data;
  const here = permissions.filter((one) => one.brand === null || one.brand === brand);
  return (
    <Page title={title} about={words.about}>
      <Fields
        of={[
          [accounts.email, actor],
          [
            words.roles,
            grants
              .map((grant) => `${accounts.roles[grant.role]} ${words.at} ${grant.brand ?? words.every}`)
              .join(', ') || common.none,
          ],
          [
            words.may,
            <ul key="may" className="permissions">
              {[...new Set(here.map(({ permission }) => permission))].map((permission) => (
                <li key={permission}>{namesOfPermissions[permission]}</li>
              ))}
            </ul>,
          ],
        ]}
      />
      <OwnSecondFactors />
      {hasPassword && (
        <Card withBorder>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              change.mutate();
            }}
          >
            <Stack align="flex-start">
              <Title order={3} size="h4">
                {words.password}
              </Title>
              <PasswordInput
                label={words.present}
                autoComplete="current-password"
                w={320}
                value={present}
                onChange={({ currentTarget }) => setPresent(currentTarget.value)}
              />
              <PasswordInput
                label={words.next}
                autoComplete="new-password"
                w={320}
                value={next}
                onChange={({ currentTarget }) => setNext(currentTarget.value)}
              />
              <Button
                type="submit"
                disabled={present === '' || next.length < shortestPassword}
                loading={change.isPending}
              >
                <Text size="sm">{words.change}</Text>
              </Button>
            </Stack>
          </form>
        </Card>
      )}
      <Card withBorder>
        <Stack>
          <Title order={3} size="h4">
            {sessions.title}
          </Title>
          <Text size="sm" c="dimmed">
            {sessions.about}
          </Text>
          <SessionList />
        </Stack>
      </Card>
    </Page>
  );
}
