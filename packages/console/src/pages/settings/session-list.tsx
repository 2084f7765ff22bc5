import { Badge, Group } from '@mantine/core';
import { api, bodyOf } from '../../api/client.ts';
import { settings } from '../../text/settings.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Sure, useAct } from '../../ui/act.tsx';
import { List } from '../../ui/list.tsx';
import { Moment } from '../../ui/values.tsx';

interface SessionListProps {
  /** The account whose sessions are listed. Default: the account of the user. */
  accountId?: number;
}

/** The sessions of an account, each with a button that ends it. */
export function SessionList({ accountId }: SessionListProps) {
  const { sessions: words } = useWords(settings);
  const { common } = useText();
  const touches = ['sessions', accountId ?? 'own'];
  const end = useAct(
    (session_id: number) => {
      if (accountId === undefined) {
        return api.DELETE('/api/console/v1/sessions/{session_id}', { params: { path: { session_id } } });
      }
      const path = { account_id: accountId, session_id };
      return api.DELETE('/api/console/v1/accounts/{account_id}/sessions/{session_id}', { params: { path } });
    },
    { touches, done: words.ended },
  );
  const endOthers = useAct(
    () => {
      if (accountId === undefined) return api.DELETE('/api/console/v1/sessions');
      return api.DELETE('/api/console/v1/accounts/{account_id}/sessions', {
        params: { path: { account_id: accountId } },
      });
    },
    { touches, done: words.ended },
  );
  return (
    <>
      <Group>
        <Sure
          size="xs"
          label={accountId === undefined ? words.endOthers : words.endAll}
          text={words.sure}
          onSure={() => endOthers.mutate()}
        />
      </Group>
      <List
        name={touches}
        read={() =>
          accountId === undefined
            ? bodyOf(api.GET('/api/console/v1/sessions'))
            : bodyOf(
                api.GET('/api/console/v1/accounts/{account_id}/sessions', {
                  params: { path: { account_id: accountId } },
                }),
              )
        }
        keyOf={({ session_id }) => session_id}
        empty={words.none}
        columns={[
          {
            title: words.device,
            show: ({ device, current }) => (
              <Group gap="xs">
                {device}
                {current && <Badge variant="light">{words.current}</Badge>}
              </Group>
            ),
          },
          { title: words.network, show: ({ network }) => network },
          { title: words.lastUsed, show: ({ last_used_at }) => <Moment at={last_used_at} /> },
          { title: words.opened, show: ({ created_at }) => <Moment at={created_at} /> },
          { title: words.expires, show: ({ expires_at }) => <Moment at={expires_at} /> },
          {
            title: common.actions,
            show: ({ session_id, current }) =>
              current ? (
                common.none
              ) : (
                <Sure size="xs" color="red" label={words.end} text={words.sure} onSure={() => end.mutate(session_id)} />
              ),
          },
        ]}
      />
    </>
  );
}
