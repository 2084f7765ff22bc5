import { Table } from '@mantine/core';
import { windowTitle } from '../../text/field-names.ts';
import { playerPage } from '../../text/player-page.ts';
import { useLanguage, useWords } from '../../text/text.tsx';
import { useTraitName } from '../../text/use-field-names.ts';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import { spacingOf, useDensity } from '../../ui/table/density.tsx';
import { titleOf } from './trait-decimal.ts';
import type { Matrix, Measure } from './trait-groups.ts';
import { ByCampaign, isNothing, type Trait, TraitValue } from './trait-value.tsx';

/** The traits of a player, by full name. */
export type TraitsByName = Readonly<Record<string, Trait>>;

interface TraitMatrixProps {
  matrix: Matrix;
  traits: TraitsByName;
  /** The heading above the table. */
  title: string;
}

/** Traits with windows: one row for each measure, one column for each window. */
export function TraitMatrix({ matrix: { windows, measures }, traits, title }: TraitMatrixProps) {
  const { traits: words } = useWords(playerPage);
  const { language } = useLanguage();
  const traitName = useTraitName();
  const { density } = useDensity();
  return (
    <ScrollBox label={words.overTime(title)}>
      <Table className="traits trait-matrix" verticalSpacing={spacingOf[density].spacing}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{words.name}</Table.Th>
            {windows.map((window) => (
              <Table.Th key={window} scope="col">
                {window === '' ? words.allTime : capitalized(windowTitle(window, language))}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {measures.map(({ name, names }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" title={name}>
                {traitName(name)}
              </Table.Th>
              {windows.map((window) => {
                const full = names.get(window) ?? name;
                const trait = traits[full] ?? unknown;
                return (
                  <Table.Td
                    key={window}
                    title={titleOf(full, trait, language)}
                    {...(isNothing(trait) && { c: 'dimmed' })}
                  >
                    <TraitValue trait={trait} isRounded />
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

const unknown: Trait = { value: null, unit: 'text' };
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Traits without windows: names and values. */
export function SingleTraits({ measures, traits }: { measures: readonly Measure[]; traits: TraitsByName }) {
  const { language } = useLanguage();
  const traitName = useTraitName();
  const { density } = useDensity();
  return (
    <Table className="traits" verticalSpacing={spacingOf[density].spacing}>
      <Table.Tbody>
        {measures.map(({ name }) => {
          const trait = traits[name] ?? unknown;
          const { value } = trait;
          const isByCampaign = name.endsWith('_by_campaign') && typeof value === 'object' && value !== null;
          return (
            <Table.Tr key={name}>
              <Table.Th scope="row" title={name}>
                {traitName(name)}
              </Table.Th>
              <Table.Td
                className="timeline-line"
                title={titleOf(name, trait, language)}
                {...(isNothing(trait) && { c: 'dimmed' })}
              >
                {isByCampaign ? <ByCampaign counts={value} /> : <TraitValue trait={trait} isRounded />}
              </Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}
