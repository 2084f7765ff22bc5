import { cleanHtml } from './clean-html.ts';

interface Props {
  class: string;
  html: string;
  trust(html: string): string;
  /** A link inside was clicked. */
  onFollow?(): void;
}

/** HTML of a message; plain text is HTML, too. Other HTML makes another element: nodes that were put in are never compared. */
export function Html({ class: name, html, trust, onFollow }: Props) {
  return (
    html && (
      // biome-ignore lint/a11y/noStaticElementInteractions: what is pressed is a link in it
      <div
        key={name + html}
        class={name}
        dir="auto"
        // What may be too wide is scrolled, for which by keyboard it must have the focus.
        tabindex={/<table|<pre|nowrap/i.test(html) && '0'}
        onclick={({ target }) => {
          if ((target as Element).closest('a[href]')) onFollow?.();
        }}
        put={(element: HTMLElement) => element.append(cleanHtml(html, trust))}
      />
    )
  );
}
