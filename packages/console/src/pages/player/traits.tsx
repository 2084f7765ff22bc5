import { Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useText } from '../../text/text.tsx';
import { Rows } from '../../ui/list.tsx';

/** Traits that are known, by name; unknown and zero ones are left out until they are asked for. */
export function Traits({ traits }: { traits: Readonly<Record<string, unknown>> }) {
  const { player, common } = useText();
  const [filter, setFilter] = useState('');
  const wanted = filter.trim().toLowerCase();
  const items = Object.entries(traits).filter(([name, value]) =>
    wanted === '' ? value !== null && value !== 0 && value !== '0.00' : name.includes(wanted),
  );
  return (
    <Stack>
      <TextInput
        aria-label={player.filter}
        placeholder={player.filter}
        value={filter}
        onChange={(event) => setFilter(event.currentTarget.value)}
      />
      <Rows
        items={items}
        keyOf={([name]) => name}
        columns={[
          { title: common.name, show: ([name]) => name },
          { title: player.traits, align: 'right', show: ([, value]) => (value === null ? common.none : textOf(value)) },
        ]}
      />
    </Stack>
  );
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));
