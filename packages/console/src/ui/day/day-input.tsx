import { ActionIcon, Popover, TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { lists } from '../../text/lists.ts';
import { useWords } from '../../text/text.tsx';
import { useRegion } from '../region.ts';
import { Calendar } from './calendar.tsx';
import { type DayCode, dayPattern, readDay } from './day-text.ts';

interface DayInputProps {
  label: string;
  value: DayCode | undefined;
  /** The value as the region writes it. It includes the time if the value is a moment within a day. */
  shown: string;
  /** Called with the day that was entered, or with undefined if the field was emptied. */
  onChange(day: DayCode | undefined): void;
}

/**
 * An input for a day in the language of the console. Browsers show their own date fields in their own language. A typed
 * day takes effect when the user presses Enter or leaves the field.
 */
export function DayInput({ label, value, shown, onChange }: DayInputProps) {
  const words = useWords(lists);
  const region = useRegion();
  const [isOpen, setOpen] = useState(false);
  const [isWrong, setWrong] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const pattern = dayPattern(region, words.dayLetters);
  const take = (text: string) => {
    if (text.trim() === shown) return setWrong(false);
    const day = text.trim() === '' ? undefined : readDay(text, region);
    setWrong(text.trim() !== '' && day === undefined);
    if (day !== undefined || text.trim() === '') onChange(day);
  };
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus={false} withRoles={false} position="bottom-start" shadow="md">
      <Popover.Target>
        <TextInput
          key={shown}
          label={label}
          size="xs"
          placeholder={pattern}
          defaultValue={shown}
          autoComplete="off"
          error={isWrong && words.wrongDay(pattern)}
          onBlur={({ currentTarget }) => take(currentTarget.value)}
          onKeyDown={({ key, currentTarget }) => key === 'Enter' && take(currentTarget.value)}
          rightSection={
            <ActionIcon
              ref={button}
              variant="subtle"
              size="sm"
              aria-label={words.openCalendar(label)}
              aria-haspopup="dialog"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              <IconCalendar size={14} aria-hidden />
            </ActionIcon>
          }
        />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={label} p="xs" onKeyDown={({ key }) => key === 'Escape' && close()}>
        <Calendar
          selected={value}
          select={(day) => {
            setWrong(false);
            close();
            onChange(day);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
