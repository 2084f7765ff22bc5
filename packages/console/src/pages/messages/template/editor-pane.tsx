import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { InsertText } from '../../../code-editor/index.tsx';
import { messages } from '../../../text/messages.ts';
import { useWords } from '../../../text/text.tsx';
import type { TemplateCatalog } from '../queries.ts';
import type { Channel } from '../starters.ts';
import { withField, withLanguage, withoutLanguage } from './draft.ts';
import { FieldInput } from './field-input.tsx';
import { fieldsOf, isRare, mainFields, pictureIn, problemsOf, showsPictures } from './fields-of.ts';
import { Insert } from './insert.tsx';
import { Languages } from './languages.tsx';
import { MarkupChoice } from './markup-choice.tsx';
import { PictureChoice } from './picture-choice.tsx';
import type { useDraft } from './use-draft.ts';

interface EditorPaneProps {
  channel: Channel;
  catalog: TemplateCatalog;
  blocks: readonly { code: string; name: string }[];
  work: ReturnType<typeof useDraft>;
  language: string;
  onLanguage(language: string): void;
  errors: readonly { path: string; message: string }[];
  readOnly: boolean;
}

/** The editor of a template's text, with its languages and the fields of its channel. */
export function EditorPane({
  channel,
  catalog,
  blocks,
  work,
  language,
  onLanguage,
  errors,
  readOnly,
}: EditorPaneProps) {
  const words = useWords(messages);
  const { draft } = work;
  const written = draft.content[language] ?? {};
  const [isWhole, setWhole] = useState(false);
  const [insert, setInsert] = useState<{ put: InsertText; field: string } | null>(null);
  const known = { variables: catalog.variables, blocks };
  const fields = fieldsOf(catalog, channel, written);
  const shown = fields.filter(({ name }) => isWhole || !isRare(channel, name) || written[name] !== undefined);
  const main = shown.find(({ name }) => mainFields.has(name))?.name;
  const hidden = fields.length - shown.length;
  return (
    <Stack gap="sm" className="workshop-editor">
      <Group gap="sm" align="flex-end">
        <TextInput
          label={words.editor.name}
          value={draft.name}
          readOnly={readOnly}
          style={{ flex: 1 }}
          onChange={({ currentTarget }) => work.set({ ...draft, name: currentTarget.value }, 'name')}
        />
        {channel !== 'block' && (
          <Select
            label={words.editor.purpose}
            w={150}
            allowDeselect={false}
            readOnly={readOnly}
            data={(['marketing', 'service'] as const).map((value) => ({ value, label: words.purposes[value] }))}
            value={draft.purpose}
            onChange={(purpose) => work.set({ ...draft, purpose: purpose as typeof draft.purpose })}
          />
        )}
      </Group>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Languages
          languages={Object.keys(draft.content)}
          language={language}
          isFaulty={(one) => errors.some(({ path }) => path.startsWith(`content.${one}.`))}
          readOnly={readOnly}
          onChoose={onLanguage}
          onAdd={(added) => {
            work.set(withLanguage(draft, added, language));
            onLanguage(added);
          }}
          onRemove={() => work.set(withoutLanguage(draft, language))}
        />
        {!readOnly && (
          <Group gap={4} wrap="nowrap">
            <Insert known={known} onInsert={(text) => insert?.put(text)} isReady={insert !== null} />
            {showsPictures.has(channel) && (
              <PictureChoice
                isReady={insert !== null}
                onChoose={({ url, width }) => insert?.put(pictureIn(insert.field, url, width))}
              />
            )}
          </Group>
        )}
      </Group>
      {channel === 'email' && !readOnly && (
        <MarkupChoice
          written={written}
          onChange={(to) => work.set({ ...draft, content: { ...draft.content, [language]: to } })}
        />
      )}
      {shown.map(({ name, kind, values }) => (
        <FieldInput
          // Another language is another text, with its own cursor position.
          key={`${language} ${name}`}
          name={name}
          kind={kind}
          values={values}
          channel={channel}
          value={written[name]}
          known={known}
          readOnly={readOnly}
          problems={problemsOf(errors, language, name, written[name])}
          onChange={(value) => work.set(withField(draft, language, name, value), `${language} ${name}`)}
          onUndo={work.undo}
          onRedo={work.redo}
          onFocus={(put) => setInsert({ put, field: name })}
          {...(name === main && { onReady: (put: InsertText) => setInsert({ put, field: name }) })}
        />
      ))}
      {(hidden > 0 || isWhole) && (
        <Group>
          <Button variant="subtle" size="compact-sm" onClick={() => setWhole(!isWhole)}>
            {isWhole ? words.editor.fewerFields : words.editor.moreFields(hidden)}
          </Button>
        </Group>
      )}
      <Text size="xs" c="dimmed">
        {words.editor.keys}
      </Text>
    </Stack>
  );
}
