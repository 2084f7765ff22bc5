import { Alert, Anchor, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import {
  areSameValues,
  errorAt,
  isShown,
  otherErrors,
  problemsOf,
  SettingsForm,
  useFocusOnError,
  type Values,
} from '../../settings-form/index.ts';
import { channelSettings } from '../../text/channel-settings.ts';
import { settingsForm } from '../../text/settings-form.ts';
import { useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Sure } from '../../ui/act.tsx';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import { useMay } from '../../ui/may.tsx';
import { Page, useAddressPart, useBrand } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { Failed, NotFound } from '../../ui/states.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { type BrandShown, brandQuery } from '../messages/queries.ts';
import {
  type ChannelGroup,
  type ChannelWithSettings,
  channelGroups,
  channelsWithSettings,
  consents,
  fieldsOf,
  firstValues,
  settingsToSend,
} from './channel-fields.ts';
import { ChannelTest } from './channel-test.tsx';
import { type ChannelShown, Providers, useChannels } from './channels.tsx';
import { useBrandChange } from './use-brand-change.ts';

/** The settings of one channel, with a test that can be run before they are saved. */
export function Channel() {
  const brand = useBrand();
  const name = useAddressPart('channel');
  const channels = useChannels();
  const settings = useQuery(brandQuery(brand));
  const channel = channelsWithSettings.find((one) => one === name);
  if (channel === undefined) return <NotFound />;
  if (channels.isLoadingError) return <FailedPage error={channels.error} onRetry={() => channels.refetch()} />;
  if (settings.isLoadingError) return <FailedPage error={settings.error} onRetry={() => settings.refetch()} />;
  const shown = channels.data?.items.find((one) => one.channel === channel);
  if (shown === undefined || settings.data === undefined) return <LoadingPage />;
  return <ChannelForm key={channel} channel={channel} shown={shown} settings={settings.data} />;
}

interface ChannelFormProps {
  channel: ChannelWithSettings;
  shown: ChannelShown;
  settings: BrandShown;
}

/** Returns the visible part of the settings of e-mail, which are among the settings of the brand. */
function presentEmail({ email }: BrandShown): Values | null {
  if (email === null) return null;
  const { has_password: _, dkim, ...open } = email;
  return { ...open, ...(dkim !== null && { dkim }) };
}

function ChannelForm({ channel, shown, settings }: ChannelFormProps) {
  const brand = useBrand();
  const words = useWords(channelSettings);
  const form = useWords(settingsForm);
  const may = useMay();
  const isOfBrand = channel === 'email';
  const mayChange = isOfBrand ? may('brand.manage') && !settings.declared : may('channel.manage');
  const inForce = isOfBrand ? presentEmail(settings) : (shown.settings as Values | null);
  const [base, setBase] = useState<Values>(() => ({ ...firstValues[channel], ...inForce }));
  const [values, setValues] = useState(base);
  // The form shows what is stored. So a secret does not stay in the page after it was saved.
  const save = useSave(channel, (stored) => {
    const next = { ...firstValues[channel], ...stored };
    setBase(next);
    setValues(next);
  });
  const errors = problemsOf(save.error, channel === 'email' ? 'email' : 'settings');
  const name = words.names[channel] ?? channel;
  const [tried, setTried] = useState<readonly { path: string; message: string }[]>([]);
  const all = [...errors, ...tried];
  const fields = useFocusOnError(save.error, tried);
  return (
    <Page
      title={name}
      about={words.what[channel] ?? ''}
      actions={
        mayChange &&
        inForce !== null && (
          <Sure label={words.remove} text={words.removeSure} color="red" onSure={() => save.mutate(null)} />
        )
      }
    >
      <LeaveGuard isChanged={mayChange && !areSameValues(values, base)} isSaving={save.isPending} />
      <Anchor component={Link} to={`/${brand}/settings/channels`} size="sm">
        {words.back}
      </Anchor>
      {isOfBrand && settings.declared && <Alert color="blue">{form.declared}</Alert>}
      {!mayChange && !(isOfBrand && settings.declared) && <Alert color="blue">{form.mayNot}</Alert>}
      {otherErrors(all, fieldsOf(channel)).map(({ path, message }) => (
        <Alert key={path} color="yellow" role="alert">
          {message}
        </Alert>
      ))}
      {save.error !== null && errors.length === 0 && <Failed error={save.error} />}
      {shown.providers.length > 0 && (
        <Card withBorder>
          <Title order={3} size="h4" mb="xs">
            {words.lastSuccess}
          </Title>
          <Providers providers={shown.providers} />
        </Card>
      )}
      <Card withBorder>
        <form
          ref={fields}
          onSubmit={(event) => {
            event.preventDefault();
            setTried([]);
            save.mutate(settingsToSend(channel, values));
          }}
        >
          <Stack>
            {channelGroups[channel].map((group) => (
              <SettingsGroup
                key={group.name}
                group={group}
                words={words.fields[channel] ?? {}}
                values={values}
                errors={all}
                readOnly={!mayChange}
                hasSecrets={inForce !== null}
                onChange={setValues}
              >
                {isOfBrand && group.name === 'reports' && (
                  <Text size="sm" c="dimmed">
                    {words.reports}
                  </Text>
                )}
                {may('channel.manage') &&
                  testsIn(channel, group.name).map((part) => (
                    <ChannelTest
                      key={part}
                      channel={channel}
                      part={part}
                      settings={mayChange ? settingsToSend(channel, values) : undefined}
                      onErrors={(found) => {
                        // The test checks the settings as they are now, so the errors of an earlier save no longer apply.
                        save.reset();
                        setTried(found);
                      }}
                    />
                  ))}
              </SettingsGroup>
            ))}
            {mayChange && (
              <Group className="form-end">
                <Button type="submit" loading={save.isPending}>
                  {words.save}
                </Button>
              </Group>
            )}
          </Stack>
        </form>
      </Card>
    </Page>
  );
}

/** Returns the tests that are shown in a group. Each test is in the group of the settings that it tests. */
function testsIn(channel: ChannelWithSettings, group: ChannelGroup['name']): ('connect' | 'send')[] {
  if (channel === 'email') return group === 'server' ? ['connect'] : group === 'sender' ? ['send'] : [];
  return group === (channel === 'sms' ? 'sender' : 'request') ? ['send'] : [];
}

type SettingsGroupProps = Omit<Parameters<typeof SettingsForm>[0], 'fields' | 'valueWords'> & {
  group: ChannelGroup;
  /** The test of these settings. */
  children: ReactNode;
};

/** Settings that belong together, below their heading. Advanced ones are folded, unless one of them has an error. */
function SettingsGroup({ group: { name, fields, isAdvanced }, children, ...form }: SettingsGroupProps) {
  const words = useWords(channelSettings);
  const nameOf = useCode();
  const [isOpened, setOpened] = useState(false);
  const { values, errors } = form;
  if (!fields.some((field) => isShown(field, values))) return null;
  const { title, about } = words.groups[name];
  const valueWords = { ...Object.fromEntries(consents.map((one) => [one, nameOf(one)])), ...words.values };
  const isOpen = isOpened || fields.some(({ path }) => errorAt(errors, path) !== undefined);
  const content = (
    <Stack gap="md">
      {about !== undefined && (
        <Text size="sm" c="dimmed">
          {about}
        </Text>
      )}
      <div className="channel-page">
        <SettingsForm {...form} fields={fields} valueWords={valueWords} />
        {children}
      </div>
    </Stack>
  );
  if (!isAdvanced) return <Section title={title}>{content}</Section>;
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpened(currentTarget.open)} className="settings-group">
      <summary>
        <Title order={3} size="h4" display="inline">
          {title}
        </Title>
      </summary>
      {content}
    </details>
  );
}

/** Saves the settings. Null removes them. `onStored` gets the visible part of the settings that are then in force. */
function useSave(channel: ChannelWithSettings, onStored: (settings: Values | null) => void) {
  const brand = useBrand();
  const words = useWords(channelSettings);
  const queries = useQueryClient();
  const change = useBrandChange();
  return useMutation({
    mutationFn: async (settings: Record<string, unknown> | null): Promise<Values | null> => {
      if (channel === 'email') return presentEmail(await change.mutateAsync({ email: settings }));
      const stored = await bodyOf(
        api.PUT('/api/console/v1/brands/{brand}/channels', {
          params: { path: { brand } },
          body: { channel, settings },
        }),
      );
      return stored.settings as Values | null;
    },
    onSuccess: async (stored, settings) => {
      onStored(stored);
      notifications.show({ message: settings === null ? words.removed : words.saved, color: 'green' });
      await queries.invalidateQueries({ queryKey: [brand, 'channels'] });
    },
  });
}
