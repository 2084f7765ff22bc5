import { ActionIcon, Button, Group, Popover, Stack, Tabs, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { messages } from '../../../text/messages.ts';
import { useWords } from '../../../text/text.tsx';
import { languageCode } from './draft.ts';

const iconSize = 16;

interface LanguagesProps {
  languages: readonly string[];
  language: string;
  /** Returns whether the text in a language has errors. */
  isFaulty(language: string): boolean;
  readOnly: boolean;
  onChoose(language: string): void;
  onAdd(language: string): void;
  /** Removes the chosen language. */
  onRemove(): void;
}

/** The languages of a template. The user chooses one to edit, adds one, or removes the chosen one. */
export function Languages({ languages, language, isFaulty, readOnly, onChoose, onAdd, onRemove }: LanguagesProps) {
  const words = useWords(messages).editor;
  return (
    <Group gap={4} wrap="nowrap" style={{ minWidth: 0 }}>
      <Tabs value={language} onChange={(value) => value !== null && onChoose(value)} variant="pills">
        <Tabs.List aria-label={words.language}>
          {languages.map((one) => (
            <Tabs.Tab key={one} value={one} size="sm">
              {one}
              {isFaulty(one) ? ' ⚠' : ''}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      {!readOnly && (
        <>
          {languages.length > 1 && (
            <Tooltip label={words.removeLanguage(language)}>
              <ActionIcon variant="subtle" color="gray" aria-label={words.removeLanguage(language)} onClick={onRemove}>
                <IconX size={iconSize} aria-hidden />
              </ActionIcon>
            </Tooltip>
          )}
          <AddLanguage taken={languages} onAdd={onAdd} />
        </>
      )}
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
