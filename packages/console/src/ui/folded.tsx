import { Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useText } from '../text/text.tsx';

interface FoldedProps {
  /** The lines, each with a key. The first line is always shown. */
  lines: readonly { key: string; line: ReactNode }[];
}

/** Shows several lines. Only the first is visible until the user opens them, so that rows of a table stay low. */
export function Folded({ lines }: FoldedProps) {
  const { common } = useText();
  const [isOpen, setOpen] = useState(false);
  const hidden = lines.length - 1;
  return (
    <>
      {(isOpen ? lines : lines.slice(0, 1)).map(({ key, line }) => (
        <Text key={key} size="sm" component="div">
          {line}
        </Text>
      ))}
      {hidden > 0 && (
        <UnstyledButton className="more" fz="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? <IconChevronUp size={12} aria-hidden /> : <IconChevronDown size={12} aria-hidden />}{' '}
          {isOpen ? common.fewer : common.others(hidden)}
        </UnstyledButton>
      )}
    </>
  );
}
