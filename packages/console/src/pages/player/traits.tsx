import { Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { playerPage } from '../../text/player-page.ts';
import { useLanguage, useWords } from '../../text/text.tsx';
import { useTraitName } from '../../text/use-field-names.ts';
import { Rows } from '../../ui/list.tsx';
import { moneyText } from '../../ui/money.tsx';
import { Moment, useDayText, useDuration, useNumber } from '../../ui/values.tsx';

interface Trait {
  value: unknown;
  unit: string;
}

const isNothing = (value: unknown) =>
  value === null || value === 0 || value === '0' || (typeof value === 'object' && Object.keys(value).length === 0);

/** Traits with their values. Unknown traits and zeros are shown if the user asks for them. */
export function Traits({ traits }: { traits: Readonly<Record<string, Trait>> }) {
  const { traits: words } = useWords(playerPage);
  const traitName = useTraitName();
  const [filter, setFilter] = useState('');
  const [isAll, setAll] = useState(false);
  const wanted = filter.trim().toLowerCase();
  const items = Object.entries(traits).filter(
    ([name, { value }]) =>
      (isAll || !isNothing(value)) &&
      (wanted === '' || name.includes(wanted) || traitName(name).toLowerCase().includes(wanted)),
  );
  return (
    <Stack>
      <Group>
        <TextInput
          aria-label={words.filter}
          placeholder={words.filter}
          w={280}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
        <Checkbox label={words.all} checked={isAll} onChange={(event) => setAll(event.currentTarget.checked)} />
      </Group>
      <div className="name-values">
        <Rows
          items={items}
          scope="traits"
          keyOf={([name]) => name}
          columns={[
            {
              title: words.name,
              sort: { name: 'name', of: ([name]) => name },
              show: ([name]) => <span title={name}>{traitName(name)}</span>,
            },
            { title: words.value, align: 'right', isEvident: true, show: ([, trait]) => <TraitValue trait={trait} /> },
          ]}
        />
      </div>
    </Stack>
  );
}

/** The value of a trait, in its unit. */
export function TraitValue({ trait: { value, unit } }: { trait: Trait }) {
  const number = useNumber();
  const duration = useDuration();
  const dayText = useDayText();
  const { language } = useLanguage();
  if (value === null) return <>–</>;
  if (unit === 'timestamp') return <Moment at={String(value)} />;
  if (unit === 'seconds' && typeof value === 'number') return <>{duration(value)}</>;
  if (/^[A-Z]{3}$/.test(unit) && typeof value === 'string') return <>{moneyText(value, unit, language)}</>;
  if (typeof value === 'number') return <>{number(value)}</>;
  if (typeof value === 'object') {
    return (
      <>
        {Object.entries(value)
          .map(([name, part]) => `${name}: ${part}`)
          .join(', ')}
      </>
    );
  }
  return <>{value === true ? '✓' : value === false ? '✗' : dayText(String(value))}</>;
}
