import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { campaignEditor } from '../../text/campaign-editor.ts';
import { useWords } from '../../text/text.tsx';

interface JsonFieldProps {
  label: string;
  value: unknown;
  /** What is wrong with it, as the platform says. */
  error?: string | undefined;
  onChange(value: unknown): void;
}

/** A part of the document as JSON, which takes effect when the field is left. Empty: the part is left out. */
export function JsonField(props: JsonFieldProps) {
  const written = props.value === undefined ? '' : JSON.stringify(props.value, null, 2);
  return <JsonText key={written} {...props} written={written} />;
}

function JsonText({ label, error, onChange, written }: JsonFieldProps & { written: string }) {
  const words = useWords(campaignEditor);
  const [text, setText] = useState(written);
  const [isWrong, setWrong] = useState(false);
  const leave = () => {
    if (text === written) return setWrong(false);
    try {
      onChange(text.trim() === '' ? undefined : JSON.parse(text));
      setWrong(false);
    } catch {
      setWrong(true);
    }
  };
  return (
    <Textarea
      label={label}
      description={words.everything}
      value={text}
      autosize
      minRows={1}
      maxRows={16}
      error={isWrong ? words.noJson : error}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={leave}
      classNames={{ input: 'code' }}
      spellCheck={false}
    />
  );
}
