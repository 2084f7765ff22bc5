import { ActionIcon, Button, Group, Popover, Select, Stack, Tabs, Text, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { InsertText } from '../../../code-editor/index.tsx';
import { placeOf } from '../../../code-editor/place-of.ts';
import { messages } from '../../../text/messages.ts';
import { useWords } from '../../../text/text.tsx';
import type { TemplateCatalog } from '../queries.ts';
import type { Channel } from '../starters.ts';
import { languageCode, withField, withLanguage, withoutLanguage } from './draft.ts';
import { FieldInput } from './field-input.tsx';
import { Insert } from './insert.tsx';
import { PictureChoice } from './picture-choice.tsx';
import type { useDraft } from './use-draft.ts';

const iconSize = 16;

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

/**
 * Fields that most messages of a channel do not use. They are shown if they have a text, or if the user asks for them.
 */
const rare: ReadonlySet<string> = new Set([
  'display_type',
  'footer_text',
  'data',
  'cta_button2_link',
  'cta_button2_text',
]);

/** The field into which a variable is inserted if the user has chosen no field. */
const mainFields: ReadonlySet<string> = new Set(['mjml', 'html', 'message', 'body', 'text', 'note']);

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
  const languages = Object.keys(draft.content);
  const written = draft.content[language] ?? {};
  const [isWhole, setWhole] = useState(false);
  const [insert, setInsert] = useState<{ put: InsertText; field: string } | null>(null);
  const known = { variables: catalog.variables, blocks };
  const fields = fieldsOf(catalog, channel, written);
  const isRare = (name: string) => rare.has(name) || (channel === 'email' && name === 'text');
  const shown = fields.filter(({ name }) => isWhole || !isRare(name) || written[name] !== undefined);
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
        <Group gap={4} wrap="nowrap" style={{ minWidth: 0 }}>
          <Tabs value={language} onChange={(value) => value !== null && onLanguage(value)} variant="pills">
            <Tabs.List aria-label={words.editor.language}>
              {languages.map((one) => (
                <Tabs.Tab key={one} value={one} size="sm">
                  {one}
                  {errors.some(({ path }) => path.startsWith(`content.${one}.`)) ? ' ⚠' : ''}
                </Tabs.Tab>
              ))}
            </Tabs.List>
          </Tabs>
          {!readOnly && (
            <>
              {languages.length > 1 && (
                <Tooltip label={words.editor.removeLanguage(language)}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={words.editor.removeLanguage(language)}
                    onClick={() => work.set(withoutLanguage(draft, language))}
                  >
                    <IconX size={iconSize} aria-hidden />
                  </ActionIcon>
                </Tooltip>
              )}
              <AddLanguage
                taken={languages}
                onAdd={(added) => {
                  work.set(withLanguage(draft, added, language));
                  onLanguage(added);
                }}
              />
            </>
          )}
        </Group>
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
      {channel === 'email' && !readOnly && <Markup written={written} onChoose={chooseMarkup} />}
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

  function chooseMarkup(to: 'mjml' | 'html') {
    const { mjml: _, html: __, ...others } = written;
    const body = to === 'mjml' ? framed(String(written.html ?? '')) : '<p></p>';
    work.set({ ...draft, content: { ...draft.content, [language]: { ...others, [to]: body } } });
  }
}

const showsPictures: ReadonlySet<Channel> = new Set(['email', 'site', 'push', 'block']);

/** Returns the text that puts an image into a field: an address or a tag. E-mails are 600 pixels wide. */
function pictureIn(field: string, url: string, width: number): string {
  if (field === 'mjml') return `<mj-image src="${url}" alt="" width="${Math.min(width, 600)}px" />`;
  if (field === 'html' || field === 'message' || field === 'body') return `<img src="${url}" alt="" />`;
  return url;
}

const framed = (html: string) =>
  `<mjml>\n  <mj-body>\n    <mj-section>\n      <mj-column>\n        <mj-text>${html}</mj-text>\n      </mj-column>\n    </mj-section>\n  </mj-body>\n</mjml>\n`;

/** Returns the fields of the channel in the order of the form. For an e-mail, it returns those of its markup. */
function fieldsOf(catalog: TemplateCatalog, channel: Channel, written: Readonly<Record<string, unknown>>) {
  const fields = catalog.channels.find((one) => one.channel === channel)?.fields ?? [];
  if (channel !== 'email') return fields;
  const other = written.mjml === undefined && written.html !== undefined ? 'mjml' : 'html';
  const isFramed = other === 'html';
  // MJML contains its own preheader, mj-preview.
  return fields.filter(({ name }) => name !== other && !(isFramed && name === 'preheader' && !written.preheader));
}

/**
 * Returns the problems of one field. A message about an unknown variable begins with its name, and the variable may be
 * in any field.
 */
function problemsOf(
  errors: EditorPaneProps['errors'],
  language: string,
  name: string,
  value: unknown,
): { message: string; words?: string }[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
  return errors.flatMap(({ path, message }) => {
    if (path === `content.${language}.${name}` || path.startsWith(`content.${language}.${name}.`)) return [{ message }];
    const [variable = ''] = message.split(' ', 1);
    return path === 'content' && variable.includes('.') && placeOf(variable, text) >= 0
      ? [{ message, words: variable }]
      : [];
  });
}

function Markup({
  written,
  onChoose,
}: {
  written: Readonly<Record<string, unknown>>;
  onChoose(to: 'mjml' | 'html'): void;
}) {
  const { preview, editor } = useWords(messages);
  const isHtml = written.mjml === undefined && written.html !== undefined;
  return (
    <Group gap="xs">
      <Text size="sm">{editor.writtenIn}</Text>
      <Button.Group>
        <Button
          size="compact-sm"
          variant={isHtml ? 'default' : 'filled'}
          aria-pressed={!isHtml}
          onClick={() => isHtml && onChoose('mjml')}
        >
          MJML
        </Button>
        <Button
          size="compact-sm"
          variant={isHtml ? 'filled' : 'default'}
          aria-pressed={isHtml}
          onClick={() => !isHtml && onChoose('html')}
        >
          {preview.html}
        </Button>
      </Button.Group>
    </Group>
  );
}

function AddLanguage({ taken, onAdd }: { taken: readonly string[]; onAdd(language: string): void }) {
  const words = useWords(messages).editor;
  const [isOpen, setOpen] = useState(false);
  const [code, setCode] = useState('');
  const isCode = languageCode.test(code) && !taken.includes(code);
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus withArrow>
      <Popover.Target>
        <Tooltip label={words.addLanguage}>
          <ActionIcon variant="subtle" aria-label={words.addLanguage} onClick={() => setOpen(!isOpen)}>
            <IconPlus size={iconSize} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (!isCode) return;
            onAdd(code);
            setCode('');
            setOpen(false);
          }}
        >
          <Stack gap="xs" w={260}>
            <TextInput
              label={words.addLanguage}
              description={words.addHint}
              error={code !== '' && !languageCode.test(code) && words.noLanguageCode}
              value={code}
              onChange={({ currentTarget }) => setCode(currentTarget.value.trim())}
            />
            <Button type="submit" size="xs" disabled={!isCode}>
              {words.addLanguage}
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
