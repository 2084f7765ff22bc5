import { Alert, Card, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { every } from '../../api/live.ts';
import { places } from '../../text/places.ts';
import { settings } from '../../text/settings.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Sure, useAct } from '../../ui/act.tsx';
import { Rows } from '../../ui/list.tsx';
import { useMay } from '../../ui/may.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { Moment, Named, State, useNumber } from '../../ui/values.tsx';
import { ChannelTest } from './channel-test.tsx';

const refreshMs = 5_000;

/** Push keys of a brand, and the results of its pushes. */
export function Push() {
  const brand = useBrand();
  const { push: words } = useWords(settings);
  const title = useWords(places).pages.push;
  const { common } = useText();
  const number = useNumber();
  const may = useMay()('key.manage');
  const touches = [brand, 'push'];
  const shown = useQuery({
    queryKey: touches,
    refetchInterval: every(refreshMs),
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/push', { params: { path: { brand } } })),
  });
  const rotate = useAct(
    (revoke: boolean) =>
      api.POST('/api/console/v1/brands/{brand}/push-keys', { params: { path: { brand } }, body: { revoke } }),
    { touches, done: words.rotated },
  );
  const mayTest = useMay()('channel.manage');
  if (shown.isPending) return <LoadingPage />;
  if (shown.isLoadingError) return <FailedPage error={shown.error} onRetry={() => shown.refetch()} />;
  const { enabled, keys, counts } = shown.data;
  return (
    <Page
      title={title}
      about={words.about}
      actions={
        may && (
          <>
            <Sure label={words.rotate} text={words.rotateSure} onSure={() => rotate.mutate(false)} />
            {keys.length > 0 && (
              <Sure label={words.revoke} text={words.revokeSure} color="red" onSure={() => rotate.mutate(true)} />
            )}
          </>
        )
      }
    >
      {!enabled && <Alert color="yellow">{words.off}</Alert>}
      {keys.length === 0 ? (
        <Empty>{words.noKeys}</Empty>
      ) : (
        <Rows
          items={keys}
          keyOf={({ key_id }) => key_id}
          columns={[
            { title: words.key, show: ({ public_key }) => <code className="timeline-line">{public_key}</code> },
            { title: words.created, show: ({ created_at }) => <Moment at={created_at} /> },
            {
              title: common.state,
              show: ({ readable, revoked_at, replaced_at }) => (
                <State
                  of={!readable || revoked_at !== null ? 'failed' : replaced_at === null ? 'in_force' : 'waiting'}
                  label={
                    !readable
                      ? words.unreadable
                      : revoked_at !== null
                        ? words.revoked
                        : replaced_at === null
                          ? words.current
                          : words.former
                  }
                />
              ),
            },
            { title: words.replaced, show: ({ replaced_at }) => <Moment at={replaced_at} /> },
            { title: words.devices, align: 'right', show: ({ devices }) => number(devices) },
          ]}
        />
      )}
      {mayTest && <ChannelTest channel="push" />}
      <Card withBorder>
        <Title order={3} size="h4" mb="xs">
          {words.counts}
        </Title>
        {counts.length === 0 ? (
          <Empty>{words.noCounts}</Empty>
        ) : (
          <Rows
            items={counts}
            keyOf={({ state, reason, host }) => `${state} ${reason} ${host}`}
            columns={[
              { title: common.state, show: ({ state }) => <State of={state} /> },
              { title: common.reason, show: ({ reason }) => <Named of={reason} place="push" /> },
              { title: words.provider, show: ({ host }) => host ?? common.none },
              { title: words.number, align: 'right', show: ({ count }) => number(count) },
            ]}
          />
        )}
        <To to="messages/sent" search={{ list: 'push' }}>
          {words.allPushes}
        </To>
      </Card>
    </Page>
  );
}
