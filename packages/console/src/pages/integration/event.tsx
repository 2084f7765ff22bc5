import { Alert, Button, Card, Code, CopyButton, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { every } from '../../api/live.ts';
import { integration } from '../../text/integration.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Fields } from '../../ui/fields.tsx';
import { Page, useAddressPart, useBrand } from '../../ui/page.tsx';
import { useNameOfPlace } from '../../ui/place-titles.ts';
import { To } from '../../ui/to.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { Moment, State, useDelay } from '../../ui/values.tsx';
import { PlayerLink } from '../player-link.tsx';
import { Effects } from './effects.tsx';
import { EventTraits } from './event-traits.tsx';
import { indented } from './indented.ts';

const refreshMs = 2_000;

/** One event of the operator, from its arrival to its last effect. */
export function InspectedEvent() {
  const brand = useBrand();
  const position = useAddressPart('position');
  const { inspector: words } = useWords(integration);
  const nameOf = useCode();
  const { common } = useText();
  const delayText = useDelay();
  const shown = useQuery({
    queryKey: [brand, 'feed', 'one', position],
    queryFn: () =>
      bodyOf(api.GET('/api/console/v1/brands/{brand}/feed/{position}', { params: { path: { brand, position } } })),
    refetchInterval: every(refreshMs),
  });
  // The summary may contain amounts of the player, so the title of the browser's tab does not contain it.
  useNameOfPlace(shown.data && nameOf(shown.data.kind));
  if (shown.isPending) return <LoadingPage />;
  if (shown.isLoadingError) return <FailedPage error={shown.error} onRetry={() => shown.refetch()} />;
  const event = shown.data;
  const text = event.body_text ?? (event.body == null ? null : JSON.stringify(event.body, null, 2));
  const curl = [
    `curl -X ${event.request.method} '${location.origin}${event.request.path}' \\`,
    "  -H 'content-type: application/json' -H 'x-api-key: YOUR_KEY' \\",
    `  -d '${(text ?? '').replaceAll("'", "'\\''")}'`,
  ].join('\n');
  return (
    <Page
      title={event.summary ?? nameOf(event.kind)}
      isNaming={false}
      actions={
        event.user_id !== null && (
          <To to="integration/inspector" search={{ user_id: event.user_id }}>
            {words.follow}
          </To>
        )
      }
    >
      <Fields
        of={[
          [
            words.call,
            <Code key="call">
              {event.request.method} {event.request.path}
            </Code>,
          ],
          [
            common.player,
            event.user_id === null ? words.noPlayer : <PlayerLink key="player" brand={brand} userId={event.user_id} />,
          ],
          [words.at, <Moment key="at" at={event.timestamp} />],
          [
            words.stored,
            <Group key="stored" gap="xs">
              <Moment at={event.received_at} />
              {event.publish_delay_ms !== null && `(+ ${delayText(event.publish_delay_ms)})`}
            </Group>,
          ],
          [words.verdict, <State key="verdict" of={event.verdict} />],
          [words.meaning, event.derived.meaning],
        ]}
      />
      <Card withBorder>
        <Title order={3} size="h4" mb="xs">
          {words.remarks}
        </Title>
        {event.derived.flags.length + event.remarks.length === 0 && <Text size="sm">{words.noRemarks}</Text>}
        <Stack gap="xs">
          {event.derived.flags.map(({ flag, meaning }) => (
            <Alert key={flag} color="yellow" title={nameOf(flag)}>
              {meaning}
            </Alert>
          ))}
          {event.remarks.map(({ path, rule, message }) => (
            <Alert key={`${path} ${rule}`} color="yellow" title={path}>
              {message}
            </Alert>
          ))}
        </Stack>
      </Card>
      <Card withBorder>
        <Group justify="space-between" mb="xs">
          <Title order={3} size="h4">
            {words.body}
          </Title>
          <CopyButton value={curl}>
            {({ copied, copy }) => (
              <Button size="xs" variant="light" onClick={copy}>
                {copied ? '✓ ' : ''}
                {words.curl}
              </Button>
            )}
          </CopyButton>
        </Group>
        {text === null ? (
          <Text size="sm">{words.noBody}</Text>
        ) : (
          <Code block className="body" tabIndex={0}>
            {indented(text)}
          </Code>
        )}
      </Card>
      {event.user_id !== null && (
        <>
          <EventTraits brand={brand} position={position} verdict={event.verdict} />
          <Effects brand={brand} userId={event.user_id} position={position} since={event.received_at} />
        </>
      )}
    </Page>
  );
}
