import { Text, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { nameOf } from '../../text/codes.ts';
import { dataNames, ownWords } from '../../text/data-names.ts';
import { useLanguage, useText } from '../../text/text.tsx';
import { Moment } from '../values.tsx';
import { type DataLine, dataLines, type Plain } from './data-lines.ts';

/** Maximum number of lines at first. The others are shown when the user asks for them. */
const mostLines = 8;
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

interface DataListProps {
  of: unknown;
  /** True if all lines are shown at once. By default, only the first eight are shown. */
  isWhole?: boolean;
  /** Returns a link for the value of a field, or undefined if it is not shown as one. */
  linkOf?(field: string, value: string): ReactNode;
  /** Returns the label of a field that `dataNames` does not contain, by its path. */
  labelOf?(path: readonly string[]): string | undefined;
}

/** Shows the values of an object of the API, one in each line. Codes that have labels are replaced by them. */
export function DataList({ of, isWhole = false, linkOf, labelOf }: DataListProps) {
  const { common } = useText();
  const { language } = useLanguage();
  const [isOpen, setOpen] = useState(isWhole);
  const lines = dataLines(of);
  const hidden = lines.length - mostLines;
  const label = (part: string, path: readonly string[]) =>
    dataNames[part]?.[language === 'de' ? 1 : 0] ?? labelOf?.(path) ?? part.replaceAll('_', ' ');
  return (
    <>
      <dl className="data">
        {(isOpen ? lines : lines.slice(0, mostLines)).map((line) => (
          <div key={line.path.join('.')}>
            <dt>{line.path.map((part, place) => label(part, line.path.slice(0, place + 1))).join(' › ')}</dt>
            <dd>
              <Values of={line} linkOf={linkOf} />
            </dd>
          </div>
        ))}
      </dl>
      {hidden > 0 && !isWhole && (
        <UnstyledButton className="more" fz="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? common.fewer : common.others(hidden)}
        </UnstyledButton>
      )}
    </>
  );
}

function Values({ of: { path, values }, linkOf }: { of: DataLine; linkOf: DataListProps['linkOf'] }) {
  const { common } = useText();
  if (values.length === 0) return common.none;
  const name = path.at(-1) ?? '';
  const isOwn = ownWords.has(name);
  return values.map((value, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the values of one line stay in their order
    <Text key={place} span size="sm" {...(isOwn && { 'data-own': true })}>
      {place > 0 && ', '}
      {(value !== null && value !== '' && linkOf?.(name, String(value))) || <Value of={value} isOwn={isOwn} />}
    </Text>
  ));
}

function Value({ of, isOwn }: { of: Plain; isOwn: boolean }) {
  const { common } = useText();
  const { language } = useLanguage();
  if (of === null || of === '') return common.none;
  if (typeof of === 'boolean') return of ? common.yes : common.no;
  if (typeof of === 'number') return of;
  if (rfc3339.test(of)) return <Moment at={of} />;
  // Only a known code has a label. Other words are shown unchanged.
  return (isOwn ? undefined : nameOf(of)?.[language === 'de' ? 1 : 0]) ?? of;
}
