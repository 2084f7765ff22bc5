import { UnstyledButton } from '@mantine/core';
import { useNumber } from '../../../ui/values.tsx';

/** A number that opens its list. Zero opens none, because its list is empty. */
export function NumberButton({ of, onClick }: { of: number; onClick(): void }) {
  const number = useNumber();
  if (of === 0) return <>{number(0)}</>;
  return (
    <UnstyledButton className="linked figure" onClick={onClick}>
      {number(of)}
    </UnstyledButton>
  );
}
