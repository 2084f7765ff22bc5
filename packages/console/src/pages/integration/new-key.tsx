import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { integration } from '../../text/integration.ts';
import { useWords } from '../../text/text.tsx';
import { FirstEvent } from './first-event.tsx';

interface NewKeyProps {
  brand: string;
  made: { api_key_id: number; key: string };
  onClose(): void;
}

/** Shows a new key, a first call that uses it, and the event of this call once it arrives. The key is shown only once. */
export function NewKey({ brand, made: { api_key_id, key: apiKey }, onClose }: NewKeyProps) {
  const { keys: words } = useWords(integration);
  const userId = `test-${api_key_id}`;
  // The shell writes the time, so that the event is not late if a person runs the command a while later.
  const example = [
    `curl -X POST ${location.origin}/v2/integration/login \\`,
    `  -H 'content-type: application/json' -H 'x-api-key: ${apiKey}' \\`,
    `  -d '{"user_id":"${userId}","timestamp":"'$(date -u +%Y-%m-%dT%H:%M:%SZ)'","origin":"${location.host}"}'`,
  ].join('\n');
  return (
    <Alert color="green" icon={<IconKey />} title={words.made}>
      <Stack align="flex-start">
        <Text size="sm">{words.once}</Text>
        <Code block data-testid="new-key">
          {apiKey}
        </Code>
        <Text size="sm">{words.asCurl}</Text>
        <Code block data-testid="first-call">
          {example}
        </Code>
        <FirstEvent brand={brand} userId={userId} />
        <Group>
          <CopyButton value={apiKey}>
            {({ copied, copy }) => <Button onClick={copy}>{copied ? words.copied : words.copy}</Button>}
          </CopyButton>
          <CopyButton value={example}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? words.copied : words.copyCall}
              </Button>
            )}
          </CopyButton>
          <Button variant="default" onClick={onClose}>
            {words.close}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
