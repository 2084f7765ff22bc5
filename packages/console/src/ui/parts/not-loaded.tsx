import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useWords } from '../../text/text.tsx';
import { upgrade } from '../../text/upgrade.ts';
import { Loading } from '../states.tsx';
import { reloadOnce } from './reload.ts';

/**
 * Shown instead of a part that could not be loaded. It reloads the page once (reload.ts). If the page must not be
 * reloaded automatically, it shows a button that reloads it.
 */
export function NotLoaded() {
  const words = useWords(upgrade);
  const [isReloading, setReloading] = useState(true);
  useEffect(() => void reloadOnce().then(setReloading), []);
  if (isReloading) return <Loading />;
  return (
    <Alert color="yellow" icon={<IconRefresh />} title={words.title} role="alert">
      <Stack align="flex-start" gap="sm">
        <Text size="sm">{words.explanation}</Text>
        <Button size="xs" onClick={() => window.location.reload()}>
          {words.reload}
        </Button>
      </Stack>
    </Alert>
  );
}
