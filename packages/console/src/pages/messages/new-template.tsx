import { Button, Group, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { messages } from '../../text/messages.ts';
import { useText, useWords } from '../../text/text.tsx';
import { codeOf } from '../../ui/code-of.ts';
import { useFilters } from '../../ui/filters.tsx';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Failed } from '../../ui/states.tsx';
import { mediaQuery } from './media/queries.ts';
import { brandQuery } from './queries.ts';
import { type Channel, channels, type Starter, starters, withPicture } from './starters.ts';

/** Creates a template with a text that could be sent, and then opens the editor. */
export function NewTemplate() {
  const brand = useBrand();
  const words = useWords(messages);
  const { common } = useText();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { filters } = useFilters();
  const settings = useQuery(brandQuery(brand));
  const pictures = useInfiniteQuery(mediaQuery(brand, ''));
  const picture = pictures.data?.pages[0]?.items[0]?.url;
  const [name, setName] = useState('');
  const [code, setCode] = useState<string | null>(null);
  const [channel, setChannel] = useState<Channel>(channels.find((one) => one === filters.channel) ?? 'email');
  const [purpose, setPurpose] = useState<'marketing' | 'service'>('marketing');
  const offered = Object.keys(starters[channel]) as Starter[];
  const [starter, setStarter] = useState<Starter>('letter');
  const chosen = offered.includes(starter) ? starter : (offered[0] ?? 'empty');
  const make = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/api/console/v1/brands/{brand}/templates', {
          params: { path: { brand } },
          body: {
            code: code ?? codeOf(name),
            name: name.trim(),
            channel,
            purpose,
            content: {
              [settings.data?.settings.default_language ?? 'en']: withPicture(starters[channel][chosen] ?? {}, picture),
            },
          },
        }),
      ),
    onSuccess: async ({ code: made }) => {
      await queries.invalidateQueries({ queryKey: [brand, 'templates'] });
      await navigate({ to: `/${brand}/messages/templates/${made}` as '/', ignoreBlocker: true });
    },
    onError: ({ message }) => notifications.show({ message, color: 'red' }),
  });
  return (
    <Page title={words.templates.make} about={words.make.about}>
      <LeaveGuard isChanged={name !== '' || code !== null} isSaving={make.isPending} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate();
        }}
      >
        <Stack maw={560}>
          <TextInput
            label={common.name}
            required
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <TextInput
            label={common.code}
            description={words.make.codeHint}
            required
            pattern="[a-z0-9][a-z0-9_\-]{0,63}"
            value={code ?? codeOf(name)}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
          />
          <Select
            label={words.make.channel}
            allowDeselect={false}
            data={channels.map((value) => ({ value, label: words.channels[value] }))}
            value={channel}
            onChange={(value) => setChannel(value as Channel)}
          />
          {channel !== 'block' && (
            <Radio.Group
              label={words.editor.purpose}
              value={purpose}
              onChange={(value) => setPurpose(value as typeof purpose)}
            >
              <Stack gap="xs" mt={4}>
                {(['marketing', 'service'] as const).map((value) => (
                  <Radio
                    key={value}
                    value={value}
                    label={words.purposes[value]}
                    description={words.purposeHint[value]}
                  />
                ))}
              </Stack>
            </Radio.Group>
          )}
          {offered.length > 1 && (
            <Radio.Group label={words.make.begin} value={chosen} onChange={(value) => setStarter(value as Starter)}>
              <Stack gap="xs" mt={4}>
                {offered.map((value) => (
                  <Radio
                    key={value}
                    value={value}
                    label={words.make.starters[value]}
                    {...(value === 'offer' && { description: words.make.pictureHint })}
                  />
                ))}
              </Stack>
            </Radio.Group>
          )}
          {settings.isLoadingError && <Failed error={settings.error} onRetry={() => settings.refetch()} />}
          <Group>
            <Button type="submit" loading={make.isPending} disabled={name.trim() === '' || !settings.isSuccess}>
              {words.make.create}
            </Button>
            <Text size="sm" c="dimmed">
              {settings.data && `${words.editor.writtenIn} ${settings.data.settings.default_language}`}
            </Text>
          </Group>
        </Stack>
      </form>
    </Page>
  );
}
