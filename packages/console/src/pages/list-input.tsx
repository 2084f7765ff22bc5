import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { useText } from '../text/text.tsx';
import { useNumber } from '../ui/values.tsx';
import { userIdsOf } from './user-ids.ts';

/** Input for a list of players: typed, pasted, or read from a file. */
export function ListInput({ text, onChange }: { text: string; onChange(text: string): void }) {
  const { segments: words } = useText();
  const number = useNumber();
  const read = async (file: File | null) => {
    if (file) onChange(await file.text());
  };
  return (
    <Stack gap="xs">
      <Textarea
        label={words.listLabel}
        description={words.listHint}
        rows={12}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
        classNames={{ input: 'code' }}
        spellCheck={false}
      />
      <Group>
        <FileButton
          onChange={read}
          accept=".csv,.txt,text/csv,text/plain"
          inputProps={{ 'aria-label': words.fromFile }}
        >
          {(props) => (
            <Button variant="default" {...props}>
              {words.fromFile}
            </Button>
          )}
        </FileButton>
        <Text className="figure">{words.idsGiven(number(userIdsOf(text).length))}</Text>
      </Group>
    </Stack>
  );
}
