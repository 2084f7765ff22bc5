import { Alert, Button, Code, Stack, Text } from '@mantine/core';
import { settings } from '../../../text/settings.ts';
import { useWords } from '../../../text/text.tsx';
import type { Credentials } from './use-account-actions.ts';

interface NewPasswordProps {
  of: Credentials;
  onClose(): void;
}

/** Shows a generated password. It cannot be shown again. */
export function NewPassword({ of: { email, password }, onClose }: NewPasswordProps) {
  const { accounts: words } = useWords(settings);
  return (
    <Alert color="green" title={`${words.made}: ${email}`}>
      <Stack align="flex-start">
        <Text size="sm">{words.once}</Text>
        <Code block data-testid="new-password">
          {password}
        </Code>
        <Button variant="default" onClick={onClose}>
          {words.close}
        </Button>
      </Stack>
    </Alert>
  );
}
