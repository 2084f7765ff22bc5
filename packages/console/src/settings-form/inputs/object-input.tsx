import { JsonInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { settingsForm } from '../../text/settings-form.ts';
import { useWords } from '../../text/text.tsx';
import { isSameJson } from '../../ui/same-json.ts';
import type { InputProps } from '../field.ts';

/** A setting without a dedicated form. It is edited as JSON. While the JSON is invalid, the form cannot be submitted. */
export function ObjectInput({ value, onChange, error, ...common }: InputProps) {
  const { noJson } = useWords(settingsForm);
  const [text, setText] = useState(() => JSON.stringify(value ?? {}, null, 2));
  const read = parsed(text);
  const isInvalid = read === undefined;
  const input = useRef<HTMLTextAreaElement>(null);
  useEffect(() => input.current?.setCustomValidity(isInvalid ? noJson : ''), [isInvalid, noJson]);
  const given = value ?? {};
  const shown = isInvalid || isSameJson(read, given) ? text : JSON.stringify(given, null, 2);
  return (
    <JsonInput
      {...common}
      classNames={{ input: 'code' }}
      autosize
      minRows={3}
      maxRows={16}
      ref={input}
      error={isInvalid ? noJson : error}
      value={shown}
      onChange={(written) => {
        setText(written);
        const object = parsed(written);
        if (object !== undefined) onChange(object);
      }}
    />
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
