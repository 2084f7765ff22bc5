import '../messages/messages.css';
import {
  Alert,
  Anchor,
  Button,
  Card,
  Checkbox,
  Code,
  CopyButton,
  Group,
  SegmentedControl,
  Stack,
  TextInput,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SiteScene } from '../../frames/site-scene.ts';
import { integration } from '../../text/integration.ts';
import { messages } from '../../text/messages.ts';
import { places } from '../../text/places.ts';
import { siteScript } from '../../text/site-script.ts';
import { useWords } from '../../text/text.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { SceneFrame } from '../messages/frames/site-frame.tsx';
import { type BrandShown, brandQuery } from '../messages/queries.ts';
import { policyText, type ScriptConfig, type ScriptOptions, scriptText } from './script-text.ts';

/** The code that loads the inbox and messages into a page of the operator, with a preview. */
export function SiteScript() {
  const brand = useBrand();
  const shown = useQuery(brandQuery(brand));
  if (shown.isPending) return <LoadingPage />;
  if (shown.isLoadingError) return <FailedPage error={shown.error} onRetry={() => shown.refetch()} />;
  return <Generator settings={shown.data} />;
}

const flags = ['enableEventTracking', 'enablePendingRewards', 'enableCrmIntegration'] as const;

function Generator({ settings }: { settings: BrandShown }) {
  const { script: words } = useWords(integration);
  const more = useWords(siteScript);
  const title = useWords(places).pages['site-script'];
  const [address, setAddress] = useState(location.origin);
  const [config, setConfig] = useState<ScriptConfig>({ inbox: { enable: true, badgeId: 'inbox-badge' } });
  const { site_origins: origins, site_script: names } = settings.settings;
  const { inbox } = config;
  const options: ScriptOptions = { brand: settings.code, address: address.replace(/\/$/, ''), names, config };
  /** Leaves out empty fields and fields that are off, because these are the defaults. */
  const setInbox = (part: Partial<NonNullable<ScriptConfig['inbox']>>) => {
    const entries = Object.entries({ ...inbox, ...part }).filter(([, value]) => value !== '' && value !== false);
    setConfig({ ...config, inbox: { enable: true, ...Object.fromEntries(entries) } });
  };
  const setFlag = (flag: (typeof flags)[number], on: boolean) => {
    const { [flag]: _, ...others } = config;
    setConfig(on ? { ...others, [flag]: true } : others);
  };
  return (
    <Page
      title={title}
      about={words.about}
      actions={
        <Anchor href="/docs" size="sm">
          {words.guide}
        </Anchor>
      }
    >
      {origins.length === 0 && <Alert color="yellow">{words.noOrigins}</Alert>}
      <div className="workshop">
        <Stack>
          <Card withBorder>
            <Stack>
              <Title order={3} size="h4">
                {words.options}
              </Title>
              <TextInput
                label={words.address}
                value={address}
                onChange={({ currentTarget }) => setAddress(currentTarget.value)}
              />
              <Checkbox
                label={words.inbox}
                checked={inbox !== undefined}
                onChange={({ currentTarget }) =>
                  currentTarget.checked ? setInbox({ badgeId: 'inbox-badge' }) : setConfig(withoutInbox(config))
                }
              />
              {inbox !== undefined && (
                <>
                  <TextInput
                    label={words.inboxButton}
                    value={inbox.badgeId ?? ''}
                    onChange={({ currentTarget }) => setInbox({ badgeId: currentTarget.value })}
                  />
                  <TextInput
                    label={more.logo}
                    value={inbox.navBarLogo ?? ''}
                    onChange={({ currentTarget }) => setInbox({ navBarLogo: currentTarget.value })}
                  />
                  <TextInput
                    label={more.contact}
                    value={inbox.contactEmail ?? ''}
                    onChange={({ currentTarget }) => setInbox({ contactEmail: currentTarget.value })}
                  />
                  <Checkbox
                    label={more.terms}
                    checked={inbox.termsAboveButtons ?? false}
                    onChange={({ currentTarget }) => setInbox({ termsAboveButtons: currentTarget.checked })}
                  />
                  <Checkbox
                    label={more.fog}
                    checked={inbox.closeModalOnFogClick ?? false}
                    onChange={({ currentTarget }) => setInbox({ closeModalOnFogClick: currentTarget.checked })}
                  />
                </>
              )}
              {flags.map((flag) => (
                <Checkbox
                  key={flag}
                  label={more[flag]}
                  checked={config[flag] ?? false}
                  onChange={({ currentTarget }) => setFlag(flag, currentTarget.checked)}
                />
              ))}
              {origins.length > 0 && (
                <span>
                  {words.origins}: {origins.join(', ')}
                </span>
              )}
            </Stack>
          </Card>
          <Snippet title={words.code} text={scriptText(options)} />
          <Snippet title={words.csp} text={policyText(options)} />
        </Stack>
        <ScriptPreview options={options} />
      </div>
    </Page>
  );
}

function withoutInbox({ inbox: _, ...config }: ScriptConfig): ScriptConfig {
  return config;
}

type Scene = 'inbox' | 'modal' | 'banner';

/** Runs the script itself in a page without a player. It shows demo messages, which no server stores. */
function ScriptPreview({ options: { brand, names, config } }: { options: ScriptOptions }) {
  const { preview } = useWords(messages);
  const more = useWords(siteScript);
  const [chosen, setChosen] = useState<Scene>('inbox');
  const [look, setLook] = useState('light');
  const [size, setSize] = useState('desktop');
  const shown = config.inbox === undefined && chosen === 'inbox' ? 'modal' : chosen;
  const message = { ...more.sample, Event: { inbox: 'inbox', modal: 'message', banner: 'shoutout' }[shown] };
  const scene: SiteScene = {
    brand,
    names,
    config,
    messages: [message],
    inbox: shown === 'inbox' ? 'opened' : 'closed',
    isDark: look === 'dark',
  };
  return (
    <Stack gap="sm" className="workshop-preview" component="section" aria-label={preview.title}>
      <Group gap="xs">
        <SegmentedControl
          size="xs"
          aria-label={preview.frame}
          value={shown}
          onChange={(value) => setChosen(value as Scene)}
          data={(config.inbox === undefined
            ? (['modal', 'banner'] as const)
            : (['inbox', 'modal', 'banner'] as const)
          ).map((value) => ({ value, label: value === 'inbox' ? more.inbox : preview[value] }))}
        />
        <SegmentedControl
          size="xs"
          aria-label={more.size}
          value={size}
          onChange={setSize}
          data={[
            { value: 'desktop', label: preview.desktop },
            { value: 'phone', label: preview.phone },
          ]}
        />
        <SegmentedControl
          size="xs"
          aria-label={preview.look}
          value={look}
          onChange={setLook}
          data={[
            { value: 'light', label: preview.light },
            { value: 'dark', label: preview.dark },
          ]}
        />
      </Group>
      <SceneFrame scene={scene} title={preview.title} isPhone={size === 'phone'} />
    </Stack>
  );
}

function Snippet({ title, text }: { title: string; text: string }) {
  const { script: words } = useWords(integration);
  return (
    <Card withBorder>
      <Group justify="space-between" mb="xs">
        <Title order={3} size="h4">
          {title}
        </Title>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button size="xs" variant="light" onClick={copy} aria-label={`${words.copy}: ${title}`}>
              {copied ? words.copied : words.copy}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Code block tabIndex={0}>
        {text}
      </Code>
    </Card>
  );
}
