import { Menu, Tabs, UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useText } from '../text/text.tsx';
import { fittingTabs } from './fitting-tabs.ts';

interface TabRowProps<Tab extends string> {
  tabs: readonly { value: Tab; label: string }[];
  active: Tab;
  onChoose(tab: Tab): void;
}

/**
 * Shows the tabs of a `Tabs` on one line. Tabs that do not fit are in a menu at the end of the line. The active tab is
 * always on the line.
 *
 * The menu is beside the tab list, not in it. A tab list may contain only tabs, and its arrow keys move between them.
 */
export function TabRow<Tab extends string>(props: TabRowProps<Tab>) {
  // The labels are the key, because other labels, for example those of another language, have other widths.
  return <MeasuredRow key={props.tabs.map(({ label }) => label).join()} {...props} />;
}

const widthOf = (element: Element) => element.getBoundingClientRect().width;

function MeasuredRow<Tab extends string>({ tabs, active, onChoose }: TabRowProps<Tab>) {
  const { common } = useText();
  const row = useRef<HTMLDivElement>(null);
  const more = useRef<HTMLButtonElement>(null);
  // The widths are unknown only before the first paint. Then all tabs and the button are laid out once, so that they
  // can be measured.
  const [widths, setWidths] = useState<{ tabs: number[]; more: number }>();
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    if (row.current === null || more.current === null) return;
    const line = row.current;
    setWidths({ tabs: [...line.querySelectorAll('[role=tab]')].map(widthOf), more: widthOf(more.current) });
    setRoom(widthOf(line));
    const observer = new ResizeObserver(() => setRoom(widthOf(line)));
    observer.observe(line);
    return () => observer.disconnect();
  }, []);
  const place = tabs.findIndex(({ value }) => value === active);
  const shown = new Set(widths === undefined ? tabs.keys() : fittingTabs(widths, room, place));
  const others = tabs.filter((_, at) => !shown.has(at));
  return (
    <div ref={row} className="tab-row">
      <Tabs.List>
        {tabs.map(
          ({ value, label }, at) =>
            shown.has(at) && (
              <Tabs.Tab key={value} value={value} px="sm">
                {label}
              </Tabs.Tab>
            ),
        )}
      </Tabs.List>
      {(widths === undefined || others.length > 0) && (
        // The menu is rendered in the page, so that it belongs to a landmark. It has no placeholder for the focus,
        // because a menu may not contain one.
        <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <UnstyledButton ref={more} className="more-tabs" aria-label={common.moreTabs}>
              {common.moreActions} <IconChevronDown size={14} aria-hidden />
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map(({ value, label }) => (
              <Menu.Item key={value} onClick={() => onChoose(value)}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}
