import { Button, Group, Text } from '@mantine/core';
import { messages } from '../../../text/messages.ts';
import { useWords } from '../../../text/text.tsx';
import type { Fields } from './draft.ts';

interface MarkupChoiceProps {
  written: Fields;
  onChange(written: Fields): void;
}

/** Selects whether an e-mail is written in MJML or HTML. HTML is kept when it becomes MJML, but not the other way round. */
export function MarkupChoice({ written, onChange }: MarkupChoiceProps) {
  const { preview, editor } = useWords(messages);
  const { mjml, html, ...others } = written;
  const isHtml = mjml === undefined && html !== undefined;
  return (
    <Group gap="xs">
      <Text size="sm">{editor.writtenIn}</Text>
      <Button.Group>
        <Button
          size="compact-sm"
          variant={isHtml ? 'default' : 'filled'}
          aria-pressed={!isHtml}
          onClick={() => isHtml && onChange({ ...others, mjml: framed(String(html)) })}
        >
          MJML
        </Button>
        <Button
          size="compact-sm"
          variant={isHtml ? 'filled' : 'default'}
          aria-pressed={isHtml}
          onClick={() => !isHtml && onChange({ ...others, html: '<p></p>' })}
        >
          {preview.html}
        </Button>
      </Button.Group>
    </Group>
  );
}

const framed = (html: string) =>
  `<mjml>\n  <mj-body>\n    <mj-section>\n      <mj-column>\n        <mj-text>${html}</mj-text>\n      </mj-column>\n    </mj-section>\n  </mj-body>\n</mjml>\n`;
