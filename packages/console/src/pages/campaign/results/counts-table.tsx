import { campaignPage } from '../../../text/campaign-page.ts';
import { useWords } from '../../../text/text.tsx';
import { type Column, Rows } from '../../../ui/list.tsx';
import { Section } from '../../../ui/section.tsx';
import { NumberButton } from './number-button.tsx';
import { type OutcomeCounts, type OutcomeQuery, outcomeNames } from './outcome-players.tsx';

interface CountsTableProps<Row extends OutcomeCounts> {
  title: string;
  rows: readonly Row[];
  keyOf(row: Row): string;
  first: readonly Column<Row>[];
  queryOf(row: Row): Omit<OutcomeQuery, 'outcome'>;
  show(query: OutcomeQuery): void;
}

/** A table of counts of one kind. It has a column for each outcome that occurs. */
export function CountsTable<Row extends OutcomeCounts>(props: CountsTableProps<Row>) {
  const { title, rows, keyOf, first, queryOf, show } = props;
  const words = useWords(campaignPage);
  const used = outcomeNames.filter((outcome) => rows.some((row) => row[outcome] > 0));
  if (used.length === 0) return null;
  return (
    <Section title={title}>
      <Rows
        items={rows}
        keyOf={keyOf}
        columns={[
          ...first,
          ...used.map(
            (outcome): Column<Row> => ({
              title: words.outcomes[outcome] ?? outcome,
              align: 'right',
              show: (row) => <NumberButton of={row[outcome]} onClick={() => show({ outcome, ...queryOf(row) })} />,
            }),
          ),
        ]}
      />
    </Section>
  );
}
