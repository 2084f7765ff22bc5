import { Alert, Button, Card, Code, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { channelSettings } from '../../text/channel-settings.ts';
import { useWords } from '../../text/text.tsx';
import { useBrand } from '../../ui/page.tsx';
import { Failed } from '../../ui/states.tsx';
import { useNumber } from '../../ui/values.tsx';
import { problemsOf } from './channel.tsx';

interface ChannelTestProps {
  channel: 'email' | 'sms' | 'webhook' | 'operator' | 'push';
  /** The settings in the form. By default, the saved settings are tested. */
  settings?: Record<string, unknown> | undefined;
  /** Called with the errors of the settings, so that the form can show them. */
  onErrors?(errors: readonly { path: string; message: string }[]): void;
}

/** Tests a provider, and shows its answer. */
export function ChannelTest({ channel, settings, onErrors }: ChannelTestProps) {
  const brand = useBrand();
  const words = useWords(channelSettings);
  const number = useNumber();
  const [to, setTo] = useState('');
  const test = useMutation({
    mutationFn: (address: string | undefined) =>
      bodyOf(
        api.POST('/api/console/v1/brands/{brand}/channels/{channel}/test', {
          params: { path: { brand, channel } },
          body: { ...(settings !== undefined && { settings }), ...(address !== undefined && { to: address }) },
        }),
      ),
    onSettled: (_result, error) => onErrors?.(problemsOf(error).filter(({ path }) => path !== 'to')),
  });
  const label = words.to[channel];
  const problems = problemsOf(test.error);
  const ofTo = problems.find(({ path }) => path === 'to')?.message;
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Title order={3} size="h4">
          {words.test}
        </Title>
        <Text size="sm">{words.testAbout[channel]}</Text>
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
          />
        )}
        <Group>
          {channel === 'email' && (
            <Button variant="default" loading={test.isPending} onClick={() => test.mutate(undefined)}>
              {words.connect}
            </Button>
          )}
          <Button
            variant="light"
            loading={test.isPending}
            disabled={label !== undefined && to.trim() === ''}
            onClick={() => test.mutate(label === undefined ? undefined : to.trim())}
          >
            {channel === 'push'
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
                {words.outcomes[test.data.outcome]} {test.data.reason?.replaceAll('_', ' ')} (
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
