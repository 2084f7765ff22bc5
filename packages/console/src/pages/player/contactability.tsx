import { Card, Group, Modal, SimpleGrid, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { contactabilityQuery } from '../../api/queries.ts';
import { compliance } from '../../text/compliance.ts';
import { playerPage } from '../../text/player-page.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { useAgo } from '../../ui/ago.ts';
import { Rows } from '../../ui/list.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, Named, State } from '../../ui/values.tsx';
import { DecisionInputs } from '../compliance/decision-inputs.tsx';
import { SuppressionTime } from '../compliance/suppression-time.tsx';

/** The six channels that reach a player. The other channels call systems. */
const channels = ['email', 'sms', 'telephone', 'post_mail', 'site', 'push'] as const;
type Channel = (typeof channels)[number];

/** Shows for each channel the gate's current decision, its reason, and the age of the facts. */
export function Contactability({ brand, userId }: { brand: string; userId: string }) {
  const { contact: words } = useWords(playerPage);
  const nameOf = useCode();
  const ago = useAgo();
  const [shown, setShown] = useState<Channel>();
  const asked = useQuery(contactabilityQuery(brand, userId));
  if (asked.isLoadingError) return <Failed error={asked.error} onRetry={() => asked.refetch()} />;
  const ofMarketing = (channel: Channel) =>
    asked.data?.items.find((item) => item.channel === channel && item.purpose === 'marketing');
  return (
    <Card withBorder padding="sm">
      <Title order={3} size="h5">
        {words.title}
      </Title>
      <Text size="xs" c="dimmed" mb="xs">
        {words.purpose}
      </Text>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="xs">
        {channels.map((channel) => {
          const said = ofMarketing(channel);
          return (
            <UnstyledButton
              key={channel}
              className="contact-channel"
              data-outcome={said?.outcome}
              onClick={() => setShown(channel)}
            >
              <Text span size="xs" c="dimmed" component="div">
                {nameOf(channel)}
              </Text>
              {said !== undefined && (
                <>
                  <State of={said.outcome} />
                  {said.reason !== null && (
                    <Text component="div" size="xs">
                      {nameOf(said.reason)}
                    </Text>
                  )}
                  <Text component="div" size="xs" c="dimmed">
                    {said.age_ms === null
                      ? said.outcome === 'held'
                        ? words.noAnswer
                        : words.ofNow
                      : words.old(ago(new Date(Date.now() - said.age_ms).toISOString()))}
                  </Text>
                </>
              )}
            </UnstyledButton>
          );
        })}
      </SimpleGrid>
      <Modal
        opened={shown !== undefined}
        onClose={() => setShown(undefined)}
        title={words.why(shown === undefined ? '' : nameOf(shown))}
        size="xl"
      >
        {shown !== undefined && <Why brand={brand} userId={userId} channel={shown} />}
      </Modal>
    </Card>
  );
}

/** Shows the facts that the gate uses for one channel, and its earlier decisions about this channel. */
function Why({ brand, userId: user_id, channel }: { brand: string; userId: string; channel: Channel }) {
  const { contact: words } = useWords(playerPage);
  const { exclusions } = useWords(compliance);
  const { common } = useText();
  const nameOf = useCode();
  const why = useQuery({
    queryKey: [brand, 'player', user_id, 'why', channel],
    queryFn: () =>
      bodyOf(
        api.GET('/api/console/v1/brands/{brand}/players/{user_id}/why', {
          params: { path: { brand, user_id }, query: { channel, purpose: 'marketing' } },
        }),
      ),
  });
  if (why.isPending) return <Loading />;
  if (why.isLoadingError) return <Failed error={why.error} onRetry={() => why.refetch()} />;
  const { outcome, reason, sources, inputs, needs, suppression, last_decisions } = why.data;
  return (
    <Stack>
      <div>
        <State of={outcome} /> {reason !== null && nameOf(reason)}
        {sources.length > 0 && (
          <Text size="sm">
            {words.sources}: {sources.map((source) => nameOf(source)).join(', ')}
          </Text>
        )}
        {needs.length > 0 && (
          <Text size="sm">
            {words.needs}: {needs.map((need) => nameOf(need)).join(', ')}
          </Text>
        )}
      </div>
      {suppression !== null && suppression.suppression_ms !== null && (
        <Group gap={4}>
          <Text size="sm">{exclusions.suppressionAbout}</Text>
          <SuppressionTime ms={suppression.suppression_ms} allowed={suppression.suppression_allowed} />
        </Group>
      )}
      <DecisionInputs inputs={inputs} />
      <Title order={3} size="h5">
        {words.last}
      </Title>
      {last_decisions.length === 0 ? (
        <Text size="sm">{words.noDecisions}</Text>
      ) : (
        <Rows
          items={last_decisions}
          keyOf={({ decision_id }) => decision_id}
          columns={[
            { title: common.when, show: ({ decided_at }) => <Moment at={decided_at} /> },
            { title: common.state, show: ({ outcome }) => <State of={outcome} /> },
            { title: common.reason, show: ({ reason }) => <Named of={reason} /> },
            {
              title: common.what,
              show: ({ decision_id, cause }) => (
                <To to="compliance/decisions" search={{ user_id, row: String(decision_id) }}>
                  {nameOf(cause.kind)} {cause.id}
                </To>
              ),
            },
          ]}
        />
      )}
    </Stack>
  );
}
