import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * A casino's pages, on their own origin and under the strictest policy: only the scripts, styles and connections that
 * docs/guides/site.md requires. Each page sets the given values on `window`, loads the platform's script as
 * docs/reference/interface.md, Endpoints D says, and records:
 *
 *   window.heard        [event, detail] of everything that Crm.on reported
 *   window.violations   what the browser refused because of the policy
 */
export interface CasinoPage {
  /** `window.crm`. */
  crm?: Record<string, unknown>;
  sid?: string;
  brand?: string;
  /**
   * How the script is added. `at once` (default): with the page. `late`: when the test calls `addScript()`. `twice`:
   * with two tags and two loaders.
   */
  script?: 'at once' | 'late' | 'twice';
  /** Rules of the page, linked before the script. */
  css?: string;
}

const policy = (platform: string) =>
  [
    "default-src 'none'",
    `script-src 'self' ${platform}`,
    `connect-src ${platform} ${platform.replace(/^http/, 'ws')}`,
    "style-src 'self'",
    "img-src 'self'",
    "require-trusted-types-for 'script'",
    'trusted-types crm casino',
    "base-uri 'none'",
  ].join('; ');

const html = (id: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>A casino</title>
    <link rel="icon" href="/picture.svg">
    <link rel="stylesheet" href="/${id}.css">
    <script src="/${id}.js"></script>
  </head>
  <body>
    <header><h1>A casino</h1><button id="bell" type="button">Inbox <span id="badge"></span></button></header>
    <main><p>Games, and more games.</p><a href="/${id}#terms">Terms</a></main>
  </body>
</html>`;

const baseCss = `body { margin: 0; font: 16px/1.5 sans-serif; background: #f4efe6; color: #2b2118 }
header { display: flex; gap: 2rem; padding: 1rem; background: #2b1a3d; color: #fff } main { padding: 1rem }
#bell { font: inherit; padding: .5rem 1rem }`;

const script = (platform: string, page: CasinoPage) => `
const page = ${JSON.stringify(page)};
for (const [name, value] of Object.entries({ crm: page.crm, sid: page.sid, crmbrand: page.brand })) {
  if (value !== undefined) window[name] = value;
}
window.heard = [];
window.violations = [];
document.addEventListener('securitypolicyviolation', (event) => {
  window.violations.push([event.violatedDirective, event.blockedURI, event.sample].join(' '));
});
const policy = trustedTypes.createPolicy('casino', { createScriptURL: (url) => url });
let tags = 0;
window.addScript = () => new Promise((resolve) => {
  const tag = document.createElement('script');
  tag.async = true;
  tag.src = policy.createScriptURL('${platform}/loader/crm.js?' + tags++);
  tag.onload = () => {
    new window.CrmLoader();
    if (!window.listens) {
      window.listens = true;
      for (const event of ['message', 'shoutout', 'inbox', 'unread', 'error']) {
        Crm.on(event, (detail) => window.heard.push([event, detail]));
      }
    }
    resolve();
  };
  document.head.append(tag);
});
addEventListener('DOMContentLoaded', () => {
  document.getElementById('bell').addEventListener('click', () => Crm.toggleInbox());
});
if (page.script !== 'late') void addScript();
if (page.script === 'twice') void addScript();
`;

const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><path fill="#7a1d35" d="M0 0h4v3H0z"/></svg>`;

/** Starts the pages' server. Its origin is part of the brand's `site_origins`. The platform's address is set later. */
export async function startCasinoPages() {
  const pages = new Map<string, CasinoPage>();
  let platform = '';
  const server = createServer((req, res) => {
    const [, id = '', kind = ''] = /^\/([\w-]+)(?:\.(\w+))?/.exec(req.url ?? '') ?? [];
    const page = pages.get(id);
    const answer = (type: string, text: string) =>
      res.writeHead(200, { 'content-type': type, 'content-security-policy': policy(platform) }).end(text);
    if (kind === 'svg') answer('image/svg+xml', picture);
    else if (page === undefined) res.writeHead(404).end();
    else if (kind === 'js') answer('text/javascript', script(platform, page));
    else if (kind === 'css') answer('text/css', `${baseCss}\n${page.css ?? ''}`);
    else answer('text/html; charset=utf-8', html(id));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    /** An image that the pages' policy allows. */
    picture: `${origin}/picture.svg`,
    openTo(url: string): void {
      platform = url;
    },
    /** @returns the address of a new page. */
    add(page: CasinoPage): string {
      const id = randomUUID();
      pages.set(id, page);
      return `${origin}/${id}`;
    },
    async stop(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
