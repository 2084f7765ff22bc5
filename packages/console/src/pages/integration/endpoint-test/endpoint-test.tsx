import { Button, Modal, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { endpointTests } from '../../../text/endpoint-tests.ts';
import { permissions } from '../../../text/permissions.ts';
import { useWords } from '../../../text/text.tsx';
import { useCode } from '../../../text/use-code.ts';
import { useMay } from '../../../ui/may.tsx';
import type { BrandShown } from '../../messages/queries.ts';
import { ChangingTest } from './changing-test.tsx';
import { type Endpoint, isSafe, obstacleOf, permissionOf } from './endpoints.ts';
import { SafeTest } from './safe-test.tsx';

interface EndpointTestProps {
  brand: string;
  endpoint: Endpoint;
  settings: Pick<BrandShown, 'operator' | 'test_user_id'>;
}

/** A button that opens the test of an endpoint, or the reason why it cannot be tested. */
export function EndpointTest({ brand, endpoint, settings }: EndpointTestProps) {
  const words = useWords(endpointTests);
  const names = useWords(permissions);
  const nameOf = useCode();
  const [isOpen, { open, close }] = useDisclosure();
  const permission = permissionOf(endpoint);
  const isAllowed = useMay()(permission);
  const obstacle = obstacleOf(endpoint, settings);
  if (obstacle !== undefined)
    return (
      <Text size="xs" c="dimmed" maw={220}>
        {words[obstacle]}
      </Text>
    );
  return (
    <>
      <Tooltip label={names[permission]} disabled={isAllowed}>
        <Button
          size="xs"
          variant="light"
          aria-haspopup="dialog"
          disabled={!isAllowed || settings.operator === null}
          aria-label={`${words.start}: ${nameOf(endpoint)}`}
          onClick={open}
        >
          {words.start}
        </Button>
      </Tooltip>
      <Modal opened={isOpen} onClose={close} title={words.title(nameOf(endpoint))} size="xl">
        {isSafe(endpoint) ? (
          <SafeTest brand={brand} endpoint={endpoint} />
        ) : (
          <ChangingTest brand={brand} endpoint={endpoint} userId={settings.test_user_id ?? ''} />
        )}
      </Modal>
    </>
  );
}
