import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';

const iconSize = 16;

/** Removes one entry of a list. */
export function RemoveButton({ label, onClick }: { label: string; onClick(): void }) {
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} onClick={onClick}>
      <IconX size={iconSize} aria-hidden />
    </ActionIcon>
  );
}
