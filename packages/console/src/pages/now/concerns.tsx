import { SimpleGrid, Stack, Title } from '@mantine/core';
import { now } from '../../text/now.ts';
import { useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { useAgo } from '../../ui/ago.ts';
import { pageOfList } from '../../ui/page-of-list.ts';
import { Stat } from '../../ui/stat.tsx';
import { useNumber } from '../../ui/values.tsx';

interface Concern {
  code: string;
  count: number;
  oldest_at: string | null;
  list: string;
}

/** Concerns that are normal in small numbers, because they are work in progress. */
const usual: ReadonlySet<string> = new Set(['look_ups', 'write_backs', 'holds']);

/** Returns whether a person should look at the list of this concern. */
export const needsAttention = ({ code, count }: Pick<Concern, 'code' | 'count'>): boolean =>
  count > 0 && !usual.has(code);

/** Shows how much waits, has failed, or differs. Each count is always in the same place. */
export function Concerns({ concerns }: { concerns: readonly Concern[] }) {
  const words = useWords(now);
  const nameOf = useCode();
  const number = useNumber();
  const ago = useAgo();
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {words.waits}
      </Title>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="sm">
        {concerns.map(({ code, count, oldest_at, list }) => (
          <Stat
            key={code}
            title={nameOf(code, 'concern')}
            value={number(count)}
            {...(count > 0 && oldest_at !== null && { note: words.since(ago(oldest_at)) })}
            {...(needsAttention({ code, count }) && { tone: 'warning' as const })}
            to={pageOfList(list)}
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}
