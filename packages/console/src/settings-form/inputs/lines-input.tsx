import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { isSameJson } from '../../ui/same-json.ts';
import type { InputProps } from '../field.ts';

/** A list of words, one per line. Empty lines are kept while the user types. */
export function LinesInput({ value, onChange, ...common }: InputProps) {
  const list = Array.isArray(value) ? value.map(String) : [];
  const [text, setText] = useState(list.join('\n'));
  const isSame = isSameJson(linesOf(text), list);
  return (
    <Textarea
      {...common}
      autosize
      minRows={2}
      maxRows={10}
      value={isSame ? text : list.join('\n')}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        onChange(linesOf(currentTarget.value));
      }}
    />
  );
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
