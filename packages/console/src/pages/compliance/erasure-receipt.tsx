import { Anchor, Stack, Table, Text } from '@mantine/core';
import { useMemo } from 'react';
import { compliance } from '../../text/compliance.ts';
import { erasedDataName } from '../../text/erased-data.ts';
import { useLanguage, useText, useWords } from '../../text/text.tsx';
import { Moment, useNumber } from '../../ui/values.tsx';
import { CreatedBy } from '../rewards/created-by.tsx';

interface Erasure {
  erasure_id: number;
  player_id: number;
  user_key: string;
  forced: boolean;
  step: string;
  requested_at: string;
  requested_by: string | null;
  closed_at: string | null;
  finished_at: string | null;
  counts: Readonly<Record<string, number>>;
}

/** Shows what an erasure did: who requested it, when it ended, and how many records of which data were deleted or emptied. */
export function ErasureReceipt({ erasure }: { erasure: Erasure }) {
  const { receipt: words } = useWords(compliance);
  const { common } = useText();
  const { language } = useLanguage();
  const number = useNumber();
  const { erasure_id, player_id, user_key, forced, requested_at, requested_by, closed_at, finished_at, counts } =
    erasure;
  const file = useMemo(
    () => `data:application/json;charset=utf-8,${encodeURIComponent(`${JSON.stringify(erasure, null, 2)}\n`)}`,
    [erasure],
  );
  const facts = [
    { title: words.requestedBy, value: requested_by === null ? words.commandLine : <CreatedBy of={requested_by} /> },
    { title: words.requestedAt, value: <Moment at={requested_at} /> },
    { title: words.unknownSince, value: <Moment at={closed_at} /> },
    { title: words.finishedAt, value: <Moment at={finished_at} /> },
    { title: words.number, value: String(player_id) },
    { title: words.digest, value: <code style={{ overflowWrap: 'anywhere' }}>{user_key}</code> },
    { title: words.forced, value: forced ? common.yes : common.no },
  ];
  const lines = [...sumsByLabel(counts, (name) => erasedDataName(name, language) ?? name)];
  return (
    <Stack gap="sm" component="section" aria-label={words.title(erasure_id)}>
      <Table withRowBorders={false} verticalSpacing={2} w="auto">
        <Table.Tbody>
          {facts.map(({ title, value }) => (
            <Table.Tr key={title}>
              <Table.Th scope="row">{title}</Table.Th>
              <Table.Td>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {lines.length === 0 ? (
        <Text size="sm">{words.nothing}</Text>
      ) : (
        <Table verticalSpacing={2} w="auto">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{words.data}</Table.Th>
              <Table.Th scope="col" ta="right">
                {words.records}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lines.map(([label, count]) => (
              <Table.Tr key={label}>
                <Table.Th scope="row" fw={400}>
                  {label}
                </Table.Th>
                <Table.Td ta="right">{number(count)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Text size="sm">{words.kept}</Text>
      {finished_at !== null && (
        <Anchor size="sm" href={file} download={`erasure-${erasure_id}.json`}>
          {words.download}
        </Anchor>
      )}
    </Stack>
  );
}

/** Adds up the counts of all tables that have the same label, in the order of the labels. Pure. */
function sumsByLabel(counts: Erasure['counts'], labelOf: (name: string) => string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [name, count] of Object.entries(counts)) sums.set(labelOf(name), (sums.get(labelOf(name)) ?? 0) + count);
  return new Map([...sums].sort(([a], [b]) => a.localeCompare(b)));
}
