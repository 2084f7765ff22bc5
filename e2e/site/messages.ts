import { test } from 'vitest';
import { inbox, loaded, type Message, outcome, type setupSite, violations } from './site.ts';

/** Texts that try to make a browser run code or contact a foreign server. */
const attacks = [
  '<script>window.pwned = 1</script>',
  '<img src="x" onerror="window.pwned = 2">',
  '<svg><script>window.pwned = 3</script><a xlink:href="javascript:window.pwned = 4">x</a></svg>',
  '<a href="java\nscript:window.pwned = 5">press</a><a href="data:text/html,<script>pwned = 6</script>">press</a>',
  '<iframe srcdoc="<script>parent.pwned = 7</script>"></iframe><object data="javascript:pwned = 8"></object>',
  '<form action="https://evil.test"><input name="password"><button formaction="javascript:pwned = 9">ok</button></form>',
  '<style>#bell { display: none } @import "https://evil.test/x.css";</style><div style="position: fixed; inset: 0">x</div>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.pwned=10&gt;">',
  '"><base href="https://evil.test/"><meta http-equiv="refresh" content="0;url=https://evil.test">',
  '<p onclick="window.pwned = 11" id="bell" class="crm-modal" name="Crm">x</p>',
];
const everything = attacks.join('\n');
/** Returns as many of the attacks as fit into a field, starting with the given one. */
const fits = (limit: number, from: number) => attacks.slice(from).join('').slice(0, limit);
const links = [
  'javascript:window.pwned=12',
  ' java\tscript:window.pwned=13',
  'data:text/html,<script>pwned=14</script>',
];

/** Finds elements and attributes that the widget must not contain, whatever the message is. */
const traces = `[...document.querySelectorAll('#crm-widget *')].flatMap((node) => [
  ...(['SCRIPT', 'IFRAME', 'OBJECT', 'FORM', 'INPUT', 'STYLE', 'BASE', 'META', 'LINK'].includes(node.tagName) ? [node.outerHTML] : []),
  ...[...node.attributes].filter(({ name, value }) =>
    /^on/i.test(name) || /^\\s*(javascript|data|vbscript):/i.test(value.replace(/[\\t\\n]/g, '')) || (name === 'id' && !value.startsWith('crm-'))
  ).map(({ name, value }) => node.tagName + ' ' + name + '=' + value),
])`;

/** Tests messages on the way from `POST players/:user_id/messages` and from `Crm.demoMessage` to the screen. */
export function messageTests({ pages, player, open, crm: consoleApi }: Awaited<ReturnType<typeof setupSite>>) {
  const hostile = (event: string, link: string, page: string): Message => ({
    event,
    title: fits(300, 0),
    message: `<p>${event} in one piece</p>${everything}`,
    preview_text: fits(500, 3),
    footer_text: everything,
    cta_button_text: fits(100, 6),
    cta_button_link: link,
    cta_button2_text: `press ${event}`,
    cta_button2_link: `${new URL(page).pathname}#${event}`,
    image_url: pages.picture,
    data: { anything: everything, __proto__: { polluted: true } },
  });

  test('an attack in every field of a message, a shoutout and an inbox message is shown as text, or removed', async (context) => {
    const { expect } = context;
    const who = player();
    const page = await open(context, { crm: inbox({}, { enableCrmIntegration: true }), player: who });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await loaded(page);
    // Wait for the first list, because only messages that arrive later are announced.
    await outcome(page, "document.querySelector('.crm-empty')?.textContent.includes('no messages')");
    for (const event of ['message', 'shoutout', 'inbox']) {
      // Addresses that could run code are refused when the message is written.
      const refusals = links.flatMap((link) =>
        ['cta_button_link', 'cta_button2_link', 'image_url'].map((field) =>
          expect(
            consoleApi.post(`players/${who.user_id}/messages`, {
              ...hostile(event, '/games', page.url()),
              [field]: link,
            }),
          ).rejects.toThrow('was answered 400'),
        ),
      );
      await Promise.all(refusals);
      await consoleApi.post(`players/${who.user_id}/messages`, hostile(event, '/games?a=1&b=<2>', page.url()));
      if (event === 'inbox') {
        await page.locator('.crm-hint').waitFor();
        await page.locator('#bell').click();
        await page.getByRole('button', { name: 'Read more' }).first().click();
      }
      await page.getByText(`${event} in one piece`).waitFor();
      expect(await page.evaluate(traces)).toEqual([]);
      await page.getByRole('link', { name: `press ${event}` }).click();
      expect(await page.evaluate('[window.pwned, ({}).polluted, document.title]')).toEqual([
        undefined,
        undefined,
        'A casino',
      ]);
      expect(await page.locator('#bell').isVisible()).toBe(true);
    }
    expect(await violations(page)).toEqual([]);
    expect(asked.filter((url) => url.includes('evil'))).toEqual([]);
  });

  test('demoMessage shows every option of each event, and the same attacks do nothing', async (context) => {
    const { expect } = context;
    const page = await open(context, { crm: inbox(), player: player() });
    await loaded(page);
    const options = {
      Title: 'A title',
      Message: '<p>A <b>message</b></p>',
      CTAButtonLink: '/one',
      CTAButtonText: 'One',
      CTAButton2Link: 'https://other.test/two',
      CTAButton2Text: 'Two',
      ImageUrl: pages.picture,
      Expires: '2036-03-09 14:00:00',
      PreviewText: 'A preview',
      FooterText: '<small>A footer</small>',
    };
    const demo = (more: object) => page.evaluate(`Crm.demoMessage(${JSON.stringify({ ...options, ...more })})`);
    const shows = async (place: string, texts: string[]) => {
      const shown = page.locator(place);
      await shown.getByRole('heading', { name: 'A title' }).waitFor();
      const said = await shown.textContent();
      for (const text of texts) expect(said).toContain(text);
      expect(await shown.locator('img').first().getAttribute('src')).toBe(pages.picture);
    };
    const links = async (place: string) => {
      const all = await page.locator(`${place} .crm-cta`).all();
      return Promise.all(all.map((one) => one.getAttribute('href')));
    };

    await demo({ Event: 'message' });
    await shows('.crm-modal[open]', ['A message', 'One', 'Two', 'A footer']);
    expect(await links('.crm-modal')).toEqual([`${pages.origin}/one`, 'https://other.test/two']);
    await page.keyboard.press('Escape');
    await demo({ Event: 'shoutout' });
    await shows('.crm-shoutout', ['A message', 'One', 'Two', 'A footer']);
    expect(await links('.crm-shoutout')).toHaveLength(2);
    await page.locator('.crm-shoutout').getByRole('button', { name: 'Close' }).click();
    await demo({ Event: 'inbox', DisplayType: 'silent' });
    await page.getByText('1', { exact: true }).waitFor();
    expect(await page.locator('.crm-hint').count()).toBe(0);
    await demo({ Event: 'inbox', DisplayType: 'push' });
    await shows('.crm-hint', ['A preview']);
    await page.locator('.crm-hint').getByRole('button', { name: 'Read more' }).click();
    await shows('.crm-inbox[open]', ['A message', 'One', 'Two', 'A footer', '2036']);
    await page.keyboard.press('Escape');

    await demo({ ...Object.fromEntries(Object.keys(options).map((name) => [name, everything])), Event: 'message' });
    await page.locator('.crm-modal[open]').waitFor();
    expect(await page.evaluate(traces)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.evaluate('Crm.demoMessage()');
    await page.locator('.crm-modal[open]').getByText('CTAButtonText').waitFor();
    expect(await page.evaluate('window.pwned')).toBe(undefined);
    expect(await violations(page)).toEqual([]);
  });
}
