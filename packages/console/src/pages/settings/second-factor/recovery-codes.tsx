import { Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { ownAccount } from '../../../text/own-account.ts';
import { useWords } from '../../../text/text.tsx';

/** Shows recovery codes that were just made. They are shown only once, so only its button closes the dialog. */
export function RecoveryCodes({ codes, onStored }: { codes: readonly string[]; onStored(): void }) {
  const { factors: words } = useWords(ownAccount);
  const text = codes.join('\n');
  const file = useMemo(() => `data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`, [text]);
  return (
    <Modal
      opened={codes.length > 0}
      onClose={onStored}
      title={words.codesTitle}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Text size="sm">{words.codesOnce}</Text>
        <Code block data-testid="recovery-codes">
          {text}
        </Code>
        <Group>
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? words.copied : words.copy}
              </Button>
            )}
          </CopyButton>
          <Button component="a" variant="default" href={file} download="croupier-recovery-codes.txt">
            {words.download}
          </Button>
          <Button ml="auto" onClick={onStored}>
            {words.stored}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
