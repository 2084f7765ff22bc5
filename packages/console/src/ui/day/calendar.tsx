import { ActionIcon, Group, Text, UnstyledButton } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { lists } from '../../text/lists.ts';
import { useWords } from '../../text/text.tsx';
import { dateFormat } from '../formats.ts';
import { useRegion } from '../region.ts';
import { type DayCode, dayCodeOf, daysLater, monthsLater, noonOf, weeksOf } from './day-text.ts';

interface CalendarProps {
  selected: DayCode | undefined;
  select(day: DayCode): void;
}

/**
 * One month of days. The arrow keys move by a day or a week, Home and End to the ends of the week, and Page Up and Page
 * Down by a month.
 */
export function Calendar({ selected, select }: CalendarProps) {
  const words = useWords(lists);
  const region = useRegion();
  const today = dayCodeOf(new Date());
  const [current, setCurrent] = useState(selected ?? today);
  const grid = useRef<HTMLTableElement>(null);
  const isMoved = useRef(true);
  // The current day gets the focus when the calendar opens and after a key, but not after a click on another month.
  useEffect(() => {
    if (!isMoved.current) return;
    isMoved.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-day="${current}"]`)?.focus();
  }, [current]);
  const weeks = weeksOf(current, region);
  const write = (day: DayCode, options: Intl.DateTimeFormatOptions) => dateFormat(region, options).format(noonOf(day));
  const week = weeks.find((days) => days.includes(current)) ?? [];
  const onKeyDown = (event: KeyboardEvent) => {
    const to = {
      ArrowLeft: daysLater(current, -1),
      ArrowRight: daysLater(current, 1),
      ArrowUp: daysLater(current, -7),
      ArrowDown: daysLater(current, 7),
      PageUp: monthsLater(current, -1),
      PageDown: monthsLater(current, 1),
      Home: week[0],
      End: week.at(-1),
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    isMoved.current = true;
    setCurrent(to);
  };
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <ActionIcon
          variant="subtle"
          aria-label={words.earlierMonth}
          onClick={() => setCurrent(monthsLater(current, -1))}
        >
          <IconChevronLeft size={16} />
        </ActionIcon>
        <Text size="sm" fw={600} aria-live="polite">
          {write(current, { month: 'long', year: 'numeric' })}
        </Text>
        <ActionIcon variant="subtle" aria-label={words.laterMonth} onClick={() => setCurrent(monthsLater(current, 1))}>
          <IconChevronRight size={16} />
        </ActionIcon>
      </Group>
      {/** biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a calendar is a grid (ARIA practices, date picker) */}
      <table ref={grid} role="grid" className="calendar" onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {(weeks[0] ?? []).map((day) => (
              <th key={day} scope="col" abbr={write(day, { weekday: 'long' })}>
                {write(day, { weekday: 'short' })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((days) => (
            <tr key={days[0]}>
              {days.map((day) => (
                // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a day is a cell of the grid
                // biome-ignore lint/a11y/useFocusableInteractive: the button in the cell has the focus
                <td key={day} role="gridcell" aria-selected={day === selected}>
                  <UnstyledButton
                    className="calendar-day"
                    data-day={day}
                    data-other={day.slice(0, 7) !== current.slice(0, 7) || undefined}
                    tabIndex={day === current ? 0 : -1}
                    aria-label={write(day, { dateStyle: 'full' })}
                    {...(day === today && { 'aria-current': 'date' as const })}
                    onClick={() => select(day)}
                  >
                    {Number(day.slice(8))}
                  </UnstyledButton>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
