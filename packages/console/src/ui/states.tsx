import { Alert, Anchor, Button, Center, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { IconAlertCircle, IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ApiProblem } from '../api/client.ts';
import { permissions } from '../text/permissions.ts';
import { useText, useWords } from '../text/text.tsx';
import type { Permission } from './may.tsx';

export function Loading() {
  const { common } = useText();
  return (
    <Center p="xl" role="status" aria-label={common.loading}>
      <Loader />
    </Center>
  );
}

/**
 * Shows the platform's error message. If the user lacks access, it states whom to ask.
 *
 * @param onRetry loads the content again. It is missing for an action, such as a save: its own button repeats the action
 */
export function Failed({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const { common } = useText();
  const names = useWords(permissions);
  if (error instanceof ApiProblem && error.status === 403) {
    // The message of the platform contains the code of the permission.
    const codes = Object.keys(names) as (keyof typeof names)[];
    return <Forbidden permission={codes.find((code) => error.message.includes(code))} message={error.message} />;
  }
  return (
    <Alert color="red" icon={<IconAlertCircle />} title={onRetry ? common.failed : common.notDone} role="alert">
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

interface ForbiddenProps {
  permission: Permission | undefined;
  /** Shown if the permission is unknown. */
  message?: string;
}

/** States which permission the caller lacks, and whom to ask. */
export function Forbidden({ permission, message = '' }: ForbiddenProps) {
  const { common } = useText();
  const names = useWords(permissions);
  return (
    <Alert color="yellow" icon={<IconLock />} title={common.forbidden} role="alert">
      <Text size="sm">{permission === undefined ? message : common.forbiddenNeeds(names[permission])}</Text>
      <Text size="sm">{common.forbiddenHint}</Text>
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
