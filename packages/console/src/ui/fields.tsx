import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** Shows the names and values of one object. */
export function Fields({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <Table variant="vertical" layout="fixed" withTableBorder>
      <Table.Tbody>
        {of.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w={220}>{name}</Table.Th>
            <Table.Td className="timeline-line">{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
