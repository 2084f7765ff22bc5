import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';

interface ScrollBoxProps {
  /** The name of the box for screen readers. */
  label: string;
  /** One element, such as a table. */
  children: ReactNode;
}

/**
 * A box whose content scrolls sideways if it is too wide. Only then can the box have the keyboard focus, so a page with
 * several boxes that fit has no needless stops of the Tab key.
 */
export function ScrollBox({ label, children }: ScrollBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const [isTooWide, setTooWide] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setTooWide(element.scrollWidth > element.clientWidth));
    observer.observe(element);
    // The content can become wider while the box stays as wide as the page.
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={box} className="scroll-box" {...(isTooWide && { role: 'group', 'aria-label': label, tabIndex: 0 })}>
      {children}
    </div>
  );
}
