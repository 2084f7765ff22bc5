import { Text, UnstyledButton } from '@mantine/core';
import { useNumber } from './values.tsx';

interface CountTileProps {
  count: number;
  label: string;
  /** What the count is compared with, such as `90 % of entered`. */
  rate?: string | undefined;
  /** Shows the list of what is counted. */
  onClick(): void;
}

/** A large count that opens its list. Zero opens none, because its list is empty. */
export function CountTile({ count, label, rate, onClick }: CountTileProps) {
  const number = useNumber();
  return (
    <UnstyledButton className="tile" disabled={count === 0} onClick={onClick}>
      <Text size="xl" fw={600} className="figure">
        {number(count)}
      </Text>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      {rate !== undefined && (
        <Text size="xs" c="dimmed" className="figure">
          {rate}
        </Text>
      )}
    </UnstyledButton>
  );
}
