import { Alert, Anchor, Button, Center, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { IconAlertCircle, IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ApiProblem } from '../api/client.ts';
import { useText } from '../text/text.tsx';

export function Loading() {
  const { common } = useText();
  return (
    <Center p="xl" role="status" aria-label={common.loading}>
      <Loader />
    </Center>
  );
}

/** Shows the platform's error message, and a button to try again. If the user lacks access, it states whom to ask. */
export function Failed({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const { common } = useText();
  if (error instanceof ApiProblem && error.status === 403) {
    return (
      <Alert color="yellow" icon={<IconLock />} title={common.forbidden} role="alert">
        <Text size="sm">{error.message}</Text>
        <Text size="sm">{common.forbiddenHint}</Text>
      </Alert>
    );
  }
  return (
    <Alert color="red" icon={<IconAlertCircle />} title={common.failed} role="alert">
      <Stack align="flex-start" gap="sm">
        <Text size="sm">{error.message}</Text>
        {onRetry && (
          <Button size="xs" variant="light" color="red" onClick={onRetry}>
            {common.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** Shown instead of an empty list. It states why the list is empty, and what to do next. `next` is a link. */
export function Empty({ children, next }: { children: ReactNode; next?: ReactNode }) {
  return (
    <Paper withBorder p="xl">
      <Text ta="center" c="dimmed">
        {children}
      </Text>
      {next !== undefined && (
        <Text ta="center" component="div" mt="xs">
          {next}
        </Text>
      )}
    </Paper>
  );
}

export function NotFound() {
  const { common } = useText();
  return (
    <Center p="xl">
      <Stack align="center">
        <Title order={2}>{common.notFound}</Title>
        <Text>{common.notFoundHint}</Text>
        <Anchor href="/console">{common.toStart}</Anchor>
      </Stack>
    </Center>
  );
}
