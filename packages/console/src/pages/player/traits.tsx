import { Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { traitCatalogQuery } from '../../api/queries.ts';
import { playerPage } from '../../text/player-page.ts';
import { germanGroup } from '../../text/rule-names.ts';
import { useLanguage, useWords } from '../../text/text.tsx';
import { useTraitName } from '../../text/use-field-names.ts';
import { Section } from '../../ui/section.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { groupsOf, type Measure, measuresOf } from './trait-groups.ts';
import { SingleTraits, TraitMatrix, type TraitsByName } from './trait-tables.tsx';
import { isNothing } from './trait-value.tsx';

/**
 * Traits with their values, under the headings of the platform's list of traits. A trait with windows is one row, which
 * shows how it changed. Rows without any value, or with zeros only, are shown if the user asks for them.
 */
export function Traits({ traits }: { traits: TraitsByName }) {
  const { traits: words } = useWords(playerPage);
  const { language } = useLanguage();
  const traitName = useTraitName();
  const catalog = useQuery(traitCatalogQuery);
  const [filter, setFilter] = useState('');
  const [isAll, setAll] = useState(false);
  if (catalog.isPending) return <Loading />;
  if (catalog.isLoadingError) return <Failed error={catalog.error} onRetry={() => catalog.refetch()} />;
  const wanted = filter.trim().toLowerCase();
  const isWanted = (name: string) => name.includes(wanted) || traitName(name).toLowerCase().includes(wanted);
  const hasValue = (name: string) => {
    const trait = traits[name];
    return trait !== undefined && !isNothing(trait);
  };
  const isShown = (measure: Measure) => {
    const names = [...measure.names.values()];
    return (isAll || names.some(hasValue)) && names.some(isWanted);
  };
  const groups = groupsOf(measuresOf(Object.keys(traits), catalog.data).filter(isShown));
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
      {groups.length === 0 && <Empty>{words.none}</Empty>}
      {groups.map(({ chapter, matrices, single }) => {
        const title = (language === 'de' ? germanGroup(chapter) : undefined) ?? chapter;
        return (
          <Section key={chapter} title={title}>
            {matrices.map((matrix) => (
              <TraitMatrix key={matrix.windows.join()} matrix={matrix} traits={traits} title={title} />
            ))}
            {single.length > 0 && <SingleTraits measures={single} traits={traits} />}
          </Section>
        );
      })}
    </Stack>
  );
}
