import { Alert, Anchor, Button, Card, Checkbox, Code, CopyButton, Group, Stack, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { integration } from '../../text/integration.ts';
import { places } from '../../text/places.ts';
import { useWords } from '../../text/text.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { policyText, type ScriptOptions, scriptText } from './script-text.ts';

/** The code by which a page of the operator loads the inbox and messages. */
export function SiteScript() {
  const brand = useBrand();
  const { script: words } = useWords(integration);
  const title = useWords(places).pages['site-script'];
  const [inbox, setInbox] = useState(true);
  const [badge, setBadge] = useState('inbox-badge');
  const [address, setAddress] = useState(location.origin);
  const shown = useQuery({
    queryKey: [brand, 'brand'],
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}', { params: { path: { brand } } })),
  });
  if (shown.isPending) return <Loading />;
  if (shown.isError) return <Failed error={shown.error} onRetry={() => shown.refetch()} />;
  const { site_origins: origins, site_script: names } = shown.data.settings;
  const options: ScriptOptions = { brand, address: address.replace(/\/$/, ''), names, inbox, badge };
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
      <Card withBorder>
        <Stack>
          <Title order={3} size="h4">
            {words.options}
          </Title>
          <TextInput
            label={words.address}
            value={address}
            maw={420}
            onChange={({ currentTarget }) => setAddress(currentTarget.value)}
          />
          <Checkbox
            label={words.inbox}
            checked={inbox}
            onChange={({ currentTarget }) => setInbox(currentTarget.checked)}
          />
          {inbox && (
            <TextInput
              label={words.inboxButton}
              value={badge}
              maw={420}
              onChange={({ currentTarget }) => setBadge(currentTarget.value)}
            />
          )}
          {origins.length > 0 && (
            <span>
              {words.origins}: {origins.join(', ')}
            </span>
          )}
        </Stack>
      </Card>
      <Snippet title={words.code} text={scriptText(options)} />
      <Snippet title={words.csp} text={policyText(options)} />
    </Page>
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
