import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { integration } from '../../text/integration.ts';
import { places } from '../../text/places.ts';
import { useWords } from '../../text/text.tsx';
import { To } from '../../ui/to.tsx';

/** Shows a new key together with a first call that uses it. The key is shown only once. */
export function NewKey({ apiKey, onClose }: { apiKey: string; onClose(): void }) {
  const { keys: words } = useWords(integration);
  const inspector = useWords(places).pages.inspector;
  const example = [
    `curl -X POST ${location.origin}/v2/integration/login \\`,
    `  -H 'content-type: application/json' -H 'x-api-key: ${apiKey}' \\`,
    `  -d '{"user_id":"test-1","timestamp":"${new Date().toISOString()}","origin":"${location.host}"}'`,
  ].join('\n');
  return (
    <Alert color="green" icon={<IconKey />} title={words.made}>
      <Stack align="flex-start">
        <Text size="sm">{words.once}</Text>
        <Code block data-testid="new-key">
          {apiKey}
        </Code>
        <Text size="sm">{words.asCurl}</Text>
        <Code block>{example}</Code>
        <Group>
          <CopyButton value={apiKey}>
            {({ copied, copy }) => <Button onClick={copy}>{copied ? words.copied : words.copy}</Button>}
          </CopyButton>
          <Button variant="default" onClick={onClose}>
            {words.close}
          </Button>
          <To to="integration/inspector">{inspector}</To>
        </Group>
      </Stack>
    </Alert>
  );
}
