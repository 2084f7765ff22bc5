import { Input, SegmentedControl, Select } from '@mantine/core';
import { useEditing } from '../draft/editing.ts';

interface AlternativesProps<Name extends string> {
  label: string;
  value: Name;
  of: Readonly<Record<Name, string>>;
  onChange(name: Name): void;
}

/** Lets the user choose which form a part of the document has. More than three forms are in a select box. */
export function Alternatives<Name extends string>({ label, value, of, onChange }: AlternativesProps<Name>) {
  const { mayEdit } = useEditing();
  const data = Object.entries<string>(of).map(([name, words]) => ({ value: name, label: words }));
  if (data.length > 3)
    return (
      <Select
        label={label}
        data={data}
        value={value}
        disabled={!mayEdit}
        allowDeselect={false}
        onChange={(chosen) => chosen !== null && onChange(chosen as Name)}
      />
    );
  return (
    <Input.Wrapper label={label} labelElement="div">
      <div>
        <SegmentedControl
          aria-label={label}
          data={data}
          value={value}
          disabled={!mayEdit}
          onChange={(chosen) => onChange(chosen as Name)}
        />
      </div>
    </Input.Wrapper>
  );
}
