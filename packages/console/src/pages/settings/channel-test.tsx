import { Alert, Button, Card, Code, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { problemsOf } from '../../settings-form/index.ts';
import { channelSettings } from '../../text/channel-settings.ts';
import { useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { useBrand } from '../../ui/page.tsx';
import { Failed } from '../../ui/states.tsx';
import { useNumber } from '../../ui/values.tsx';

interface ChannelTestProps {
  channel: 'email' | 'sms' | 'webhook' | 'operator' | 'push';
  /** What is tested. Only e-mail can connect without sending. */
  part?: 'connect' | 'send';
  /** The settings in the form. By default, the saved settings are tested. */
  settings?: Record<string, unknown> | undefined;
  /** Called with the errors of the settings, so that the form can show them. */
  onErrors?(errors: readonly { path: string; message: string }[]): void;
}

/** Tests a provider, and shows its answer. */
export function ChannelTest({ channel, part = 'send', settings, onErrors }: ChannelTestProps) {
  const brand = useBrand();
  const words = useWords(channelSettings);
  const number = useNumber();
  const nameOf = useCode();
  const [to, setTo] = useState('');
  const errorsOf = (error: Error | null) => problemsOf(error, 'settings');
  const test = useMutation({
    mutationFn: (address: string | undefined) =>
      bodyOf(
        api.POST('/api/console/v1/brands/{brand}/channels/{channel}/test', {
          params: { path: { brand, channel } },
          body: { ...(settings !== undefined && { settings }), ...(address !== undefined && { to: address }) },
        }),
      ),
    onSettled: (_result, error) => onErrors?.(errorsOf(error).filter(({ path }) => path !== 'to')),
  });
  const label = part === 'send' ? words.to[channel] : undefined;
  const canTest = label === undefined || to.trim() !== '';
  const run = () => test.mutate(label === undefined ? undefined : to.trim());
  const problems = errorsOf(test.error);
  const ofTo = problems.find(({ path }) => path === 'to')?.message;
  return (
    <Card withBorder bg="var(--mantine-color-default-hover)">
      <Stack gap="sm">
        <Title order={channel === 'push' ? 3 : 4} size="h5">
          {part === 'connect' ? words.testConnection : words.test}
        </Title>
        <Text size="sm">{part === 'connect' ? words.connectAbout : words.testAbout[channel]}</Text>
        {settings !== undefined && (
          <Text size="xs" c="dimmed">
            {words.guide}
          </Text>
        )}
        {label !== undefined && (
          <TextInput
            label={label}
            error={ofTo}
            value={to}
            onChange={({ currentTarget }) => setTo(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              // The test is part of the form. Enter tests the channel and does not save its settings.
              event.preventDefault();
              if (canTest && !test.isPending) run();
            }}
          />
        )}
        <Group>
          <Button variant="light" loading={test.isPending} disabled={!canTest} onClick={run}>
            {part === 'connect'
              ? words.connect
              : channel === 'push'
                ? words.check
                : channel === 'operator' || channel === 'webhook'
                  ? words.call
                  : words.send}
          </Button>
        </Group>
        {test.error !== null && problems.length === 0 && <Failed error={test.error} />}
        {test.isSuccess && (
          <Alert role="status" color={test.data.ok ? 'green' : 'red'} title={test.data.ok ? words.works : words.fails}>
            <Stack gap={4}>
              <Text size="sm">
                {words.outcomes[test.data.outcome]} {test.data.reason !== null && nameOf(test.data.reason)} (
                {words.took(number(test.data.took_ms))})
              </Text>
              {(test.data.status !== null || test.data.detail !== '') && (
                <Code block className="timeline-line">
                  {[test.data.status, test.data.detail].filter((part) => part !== null && part !== '').join(' ')}
                </Code>
              )}
            </Stack>
          </Alert>
        )}
      </Stack>
    </Card>
  );
}
