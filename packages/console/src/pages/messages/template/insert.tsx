import { Button, Group, Menu, ScrollArea, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { KnownWords } from '../../../code-editor/index.tsx';
import { messages } from '../../../text/messages.ts';
import { useWords } from '../../../text/text.tsx';

interface InsertProps {
  known: KnownWords;
  /** Whether a field has been chosen. */
  isReady: boolean;
  onInsert(text: string): void;
}

const mostShown = 60;

/** Inserts a variable or a block at the cursor. */
export function Insert({ known, isReady, onInsert }: InsertProps) {
  const words = useWords(messages).editor;
  const [asked, setAsked] = useState('');
  const wanted = asked.toLowerCase().split(/\s+/);
  const found = known.variables
    .filter(({ name, title }) => wanted.every((word) => `${name} ${title}`.toLowerCase().includes(word)))
    .slice(0, mostShown);
  return (
    <Group gap={4} wrap="nowrap">
      <Menu trapFocus returnFocus={false} width={360} onClose={() => setAsked('')}>
        <Menu.Target>
          <Button size="compact-sm" variant="default" disabled={!isReady}>
            {words.insertVariable}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <TextInput
            size="xs"
            m={4}
            aria-label={words.findVariable}
            placeholder={words.findVariable}
            data-autofocus
            value={asked}
            onChange={({ currentTarget }) => setAsked(currentTarget.value)}
          />
          <ScrollArea.Autosize mah={320}>
            {found.length === 0 && (
              <Text size="sm" p="xs">
                {words.noVariable}
              </Text>
            )}
            {found.map(({ name, title }) => (
              <Menu.Item key={name} onClick={() => onInsert(`{{ ${name} }}`)}>
                <Text size="sm" ff="monospace">
                  {name}
                </Text>
                <Text size="xs" c="dimmed">
                  {title}
                </Text>
              </Menu.Item>
            ))}
          </ScrollArea.Autosize>
        </Menu.Dropdown>
      </Menu>
      {known.blocks.length > 0 && (
        <Menu returnFocus={false}>
          <Menu.Target>
            <Button size="compact-sm" variant="default" disabled={!isReady}>
              {words.insertBlock}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {known.blocks.map(({ code, name }) => (
              <Menu.Item key={code} onClick={() => onInsert(`{% render '${code}' %}`)}>
                <Text size="sm">{name}</Text>
                <Text size="xs" c="dimmed">
                  {code}
                </Text>
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  );
}
