import { Progress, Text } from '@mantine/core';
import { rewards } from '../../text/rewards.ts';
import { useWords } from '../../text/text.tsx';

const whole = 100;

interface BudgetUseProps {
  /** False if each player has a separate limit. Then the total has no limit. */
  isShared: boolean;
  show(value: string): React.ReactNode;
  limit: string | null;
  spent: string;
  reserved: string;
}

/** Shows what is spent of a limit, and what is reserved for bonuses whose outcome is open. */
export function BudgetUse({ isShared, show, limit, spent, reserved }: BudgetUseProps) {
  const { budgets: words } = useWords(rewards);
  const hasReserved = Number(reserved) > 0;
  const share = (value: string) => (Number(limit) === 0 ? 0 : Math.min(whole, (Number(value) / Number(limit)) * whole));
  return (
    <div className="budget-use">
      <Text size="sm" component="div" className="figure">
        {show(spent)}
        {limit !== null && isShared && (
          <>
            {` ${words.of} `}
            {show(limit)}
          </>
        )}
      </Text>
      {limit !== null && isShared && (
        <Progress.Root size="sm" aria-hidden>
          <Progress.Section value={share(spent)} />
          <Progress.Section value={Math.min(share(reserved), whole - share(spent))} color="yellow" />
        </Progress.Root>
      )}
      {((limit !== null && !isShared) || hasReserved) && (
        <Text size="xs" c="dimmed" component="div">
          {limit !== null && !isShared && (
            <>
              {words.atMostEach} {show(limit)}
            </>
          )}
          {hasReserved && (
            <>
              {limit !== null && !isShared && ', '}
              {show(reserved)} {words.reserved}
            </>
          )}
        </Text>
      )}
    </div>
  );
}
