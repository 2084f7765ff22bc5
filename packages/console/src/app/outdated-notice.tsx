import { Alert, Button, Group, Text } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { notifyManager, type Query, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { useText } from '../text/text.tsx';
import { useMomentText } from '../ui/values.tsx';

/** Finds the queries of the page that have data, but whose last read failed. */
const outdated = {
  type: 'active',
  predicate: ({ state }: Query) => state.status === 'error' && state.data !== undefined,
} as const;

/**
 * Reports that data on the page could not be read again. Pages keep showing what they have, because a short failure must not
 * close a form with unsaved changes. The notice is gone with the next successful read.
 */
export function OutdatedNotice() {
  const { common } = useText();
  const momentText = useMomentText();
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  const subscribe = useCallback((changed: () => void) => cache.subscribe(notifyManager.batchCalls(changed)), [cache]);
  const failed = useSyncExternalStore(subscribe, () => cache.findAll(outdated)[0]?.state);
  if (failed === undefined) return null;
  return (
    <Alert
      className="outdated"
      color="yellow"
      icon={<IconPlugConnectedX />}
      title={common.outdated(momentText(failed.dataUpdatedAt))}
      role="status"
      mb="md"
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm">{failed.error?.message}</Text>
        <Button size="compact-sm" variant="default" onClick={() => queries.refetchQueries(outdated)}>
          {common.retry}
        </Button>
      </Group>
    </Alert>
  );
}
