/*
 * Runs in the frame `/console/frames/site`. It loads the browser script of the brand as a page of the operator does,
 * and shows demo messages. The frame is sandboxed without an origin, so it has no session and cannot access the
 * console. The console sends it what to show.
 */
import type { SiteScene } from './site-scene.ts';

interface Crm {
  init(): Promise<unknown>;
  demoMessage(message: object): void;
  toggleInbox(): void;
  logout(): Promise<unknown>;
  on(event: string, handler: () => void): void;
}

const page = globalThis as unknown as Record<string, unknown>;
/** Silences the console, because the script reports that no player is signed in, which is expected here. */
page.console = { ...console, error: () => {}, warn: () => {} };

let last: Promise<void> = Promise.resolve();
let loaded: Promise<void> | undefined;

addEventListener('message', ({ source, data }: MessageEvent<SiteScene>) => {
  if (source !== parent) return;
  last = last.then(() => show(data)).catch(() => {});
});
// Links in a message lead to pages of the operator, which do not exist here.
addEventListener(
  'click',
  (event) => {
    if ((event.target as Element).closest('a[href]')) event.preventDefault();
  },
  true,
);
parent.postMessage('ready', '*');

async function show(scene: SiteScene): Promise<void> {
  // Without a class, the script would use the color scheme of the system instead of the chosen one.
  document.documentElement.className = scene.isDark ? 'dark' : 'light';
  document.body.style.cssText = `margin: 0; min-height: 100vh; background: ${scene.isDark ? '#101216' : '#eef0f4'}`;
  page[scene.names.config_name] = { integrationVersion: '1.1', ...scene.config, autoInit: false };
  loaded ??= load(scene);
  await loaded;
  const crm = page[scene.names.api_name] as Crm;
  // `init` reads the configuration, and `logout` removes the earlier messages.
  await crm.init().catch(() => {});
  await crm.logout().catch(() => {});
  for (const message of scene.messages) crm.demoMessage(message);
  if (scene.inbox === 'closed') return;
  crm.toggleInbox();
  if (scene.inbox === 'opened') await whenThere('#crm-widget .crm-read-more').then((entry) => entry?.click());
}

async function load({ names, brand }: SiteScene): Promise<void> {
  const style = document.createElement('style');
  style.textContent = '*, ::before, ::after { animation: none !important; transition: none !important }';
  document.head.append(style);
  page[names.brand_name] = brand;
  page[names.sid_name] = '';
  const script = document.createElement('script');
  script.src = `/loader/${brand}/${names.file_name}.js`;
  await new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = reject;
    document.head.append(script);
  });
  const Loader = page[names.loader_name] as new () => object;
  new Loader();
}

/** Waits for an element of the widget, which is drawn in the next animation frame. */
async function whenThere(selector: string): Promise<HTMLElement | null> {
  for (let tries = 0; tries < 60; tries++) {
    const found = document.querySelector<HTMLElement>(selector);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return null;
}
