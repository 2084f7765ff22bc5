import { Alert, Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { integration } from '../../text/integration.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Fields } from '../../ui/fields.tsx';
import { Page, useAddressPart, useBrand } from '../../ui/page.tsx';
import { To } from '../../ui/to.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { Moment, State } from '../../ui/values.tsx';
import { Correction } from './correction.tsx';

/** One event that could not be accepted, with its body and the possible actions. */
export function Quarantined() {
  const brand = useBrand();
  const quarantine_id = Number(useAddressPart('id'));
  const { quarantine: words } = useWords(integration);
  const nameOf = useCode();
  const { common } = useText();
  // Each read of a body is recorded in the audit. So the body is read once, and again only after an action on this page or a change of
  // the language. Changes on the platform do not cause it to be read again (topics.ts).
  const shown = useQuery({
    queryKey: [brand, 'quarantined', quarantine_id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/quarantine/{quarantine_id}', {
          params: { path: { brand, quarantine_id } },
        }),
      ),
  });
  if (shown.isPending) return <LoadingPage />;
  if (shown.isLoadingError) return <FailedPage error={shown.error} onRetry={() => shown.refetch()} />;
  const item = shown.data;
  return (
    <Page
      title={`${nameOf(item.kind)} ${quarantine_id}`}
      actions={
        item.user_id !== null && (
          <To to="integration/inspector" search={{ user_id: item.user_id }}>
            {words.toInspector}
          </To>
        )
      }
    >
      <Alert color={item.state === 'open' ? 'red' : 'gray'} title={words.reasons}>
        {item.reasons.map(({ path, rule, message }) => (
          <Text key={`${path} ${rule}`} size="sm">
            {message}
          </Text>
        ))}
      </Alert>
      <Fields
        of={[
          [common.state, <State key="state" of={item.state} />],
          [common.player, item.user_id ?? common.none],
          [words.tries, words.times(item.tries)],
          [words.last, <Moment key="last" at={item.last_at} />],
          ...(item.resolved_by === null
            ? []
            : ([
                [words.by, item.resolved_by],
                [words.note, item.note ?? common.none],
              ] as const)),
        ]}
      />
      {item.state === 'open' && item.encoding === 'utf8' ? (
        <Correction brand={brand} quarantineId={quarantine_id} body={item.body} />
      ) : (
        <Code block tabIndex={0}>
          {item.body}
        </Code>
      )}
      {item.encoding === 'base64' && <Text size="sm">{words.binary}</Text>}
      {item.corrected_body !== null && (
        <>
          <Text fw={500}>{words.corrected}</Text>
          <Code block tabIndex={0}>
            {item.corrected_body}
          </Code>
        </>
      )}
    </Page>
  );
}
