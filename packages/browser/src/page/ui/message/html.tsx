import { cleanHtml } from './clean-html.ts';

interface Props {
  class: string;
  html: string;
  trust(html: string): string;
  /** Called when a link inside was clicked. */
  onFollow?(): void;
}

/**
 * The HTML of a message. Plain text counts as HTML, too. Changed HTML creates a new element, because its nodes are
 * never compared.
 */
export function Html({ class: name, html, trust, onFollow }: Props) {
  return (
    html && (
      // biome-ignore lint/a11y/noStaticElementInteractions: only links inside it are pressed
      <div
        key={name + html}
        class={name}
        dir="auto"
        // Content that may be too wide scrolls. It needs the focus, so that the player can scroll it by keyboard.
        tabindex={/<table|<pre|nowrap/i.test(html) && '0'}
        onclick={({ target }) => {
          if ((target as Element).closest('a[href]')) onFollow?.();
        }}
        put={(element: HTMLElement) => element.append(cleanHtml(html, trust))}
      />
    )
  );
}
