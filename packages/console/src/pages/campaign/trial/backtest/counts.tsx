import { Button, Group, SimpleGrid, Text } from '@mantine/core';
import { campaignTrial } from '../../../../text/campaign-trial.ts';
import { useWords } from '../../../../text/text.tsx';
import { useCode } from '../../../../text/use-code.ts';
import { CountTile } from '../../../../ui/count-tile.tsx';
import { Money } from '../../../../ui/money.tsx';
import { useNumber } from '../../../../ui/values.tsx';
import type { PlayersQuery } from './players.tsx';
import type { BacktestShown } from './queries.ts';

interface BacktestCountsProps {
  backtest: BacktestShown;
  /** Lists the players behind a count. */
  show(query: PlayersQuery): void;
}

/** The counts of a backtest, its money, and the reasons why contacts were withheld. */
export function BacktestCounts({ backtest, show }: BacktestCountsProps) {
  const words = useWords(campaignTrial);
  const number = useNumber();
  const codeName = useCode();
  const { totals, withheld, credited_sums, cost, unknown_cost } = backtest;
  return (
    <>
      <SimpleGrid cols={{ base: 2, sm: 4, lg: 6 }}>
        {Object.entries(totals).map(([outcome, count]) => (
          <CountTile
            key={outcome}
            count={count}
            label={words.counts[outcome] ?? outcome}
            onClick={() => show({ outcome })}
          />
        ))}
      </SimpleGrid>
      {Object.keys(credited_sums).length > 0 && (
        <Text size="sm" className="figure">
          {words.money}:{' '}
          {Object.entries(credited_sums)
            .map(([currency, sum]) => `${sum} ${currency}`)
            .join(', ')}
        </Text>
      )}
      {totals.credited > 0 && (
        <Text size="sm" className="figure">
          {words.cost}: <Money of={cost} />
          {unknown_cost > 0 && `. ${words.unknownCost(number(unknown_cost))}`}
        </Text>
      )}
      {Object.keys(withheld).length > 0 && (
        <Group gap="xs">
          <Text size="sm">{words.counts.withheld}:</Text>
          {Object.entries(withheld).map(([reason, count]) => (
            <Button
              key={reason}
              size="compact-sm"
              variant="default"
              onClick={() => show({ outcome: 'withheld', reason })}
            >
              {codeName(reason)} {number(count)}
            </Button>
          ))}
        </Group>
      )}
    </>
  );
}
