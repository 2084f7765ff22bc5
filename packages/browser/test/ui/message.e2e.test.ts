import fc from 'fast-check';
import { expect, test } from 'vitest';
import { setupBrowser } from '../../../platform/testing/browser/browser.ts';
import { axeFinds, keepPicture, message, uiPage } from './ui-page.ts';

/** The HTML of a message. What the server allows appears on the page as it was written. */
const browser = await setupBrowser();

/** Pieces of tags in any order. A text from the console's editor, from a mail or from a broken template may contain them. */
const pieces = [
  '<p',
  '<a',
  '<img',
  '<td',
  '<table>',
  '</p',
  '</a',
  '<',
  '>',
  '/',
  ' ',
  '\n',
  '\f',
  '"',
  "'",
  '=',
  '\0',
  'style',
  'STYLE=',
  'onclick',
  'on',
  ' title=',
  ' alt="',
  " title='",
  ' href=',
  'word',
  'one',
  '&quot;',
  '&',
  '<!--',
  '-->',
  '--!>',
  '<!',
  '<?',
  '<svg>',
  '<math',
  '<textarea>',
  '</textarea>',
  '<title>',
  '<xmp>',
  ' style="color: red"',
  '"style=x',
  '/onclick=x',
  '"><p onclick="x">',
  ' title="a > b"',
  ' one',
  '<![CDATA[',
  ']]>',
];
const written = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 14 }).map((parts) => parts.join(''));
/**
 * Returns false if the HTML has elements whose names begin with `style` or `on`. Their content is removed completely,
 * however the parser reads it, so the rest may differ.
 */
const isComparable = (html: string) => !/<\/?(style|on)/i.test(html);

test('addresses and texts are shown as they were written, whatever surrounds them', async (context) => {
  const html = [
    '<a href="https://shop.example/style=dark?a=1&amp;one=/once" title="a > b on = c" style="color: rgb(1, 2, 3)">go on = style = "on"</a>',
    `<a href='/promo/online=1'style='color: rgb(1, 2, 3)'onclick='x'>two</a>`,
    '<img src="/img/ style=1/on=2.svg" alt="\'style=on\'" title=""/onerror=x>',
  ].join('\n');
  const { page, widget, violated, complaints } = await uiPage(browser, context, {
    state: { arrivals: [{ ...message, Event: 'message', Message: html }] },
  });
  const shown = await widget
    .locator('.crm-html')
    .evaluate((element: unknown) => [
      (element as Shown).textContent,
      ...[...(element as Shown).querySelectorAll('*')].map(({ attributes }) =>
        Object.fromEntries([...attributes].map(({ name, value }) => [name, value])),
      ),
    ]);
  const style = 'color: rgb(1, 2, 3);';
  expect(shown).toEqual([
    'go on = style = "on"\ntwo\n',
    { href: 'https://shop.example/style=dark?a=1&one=/once', title: 'a > b on = c', style },
    { href: 'https://casino.example/promo/online=1', style },
    { src: 'https://casino.example/img/%20style=1/on=2.svg', alt: "'style=on'", title: '' },
  ]);

  // The result is compared with a page without a policy, where the browser's own parser reads the text.
  const free = await browser.page(context);
  await fc.assert(
    fc.asyncProperty(fc.array(written, { minLength: 300, maxLength: 300 }), async (texts) => {
      const cleaned = await page.evaluate((texts) => {
        const { Html, trusted, document } = globalThis as unknown as InPage;
        return texts.map((text) => {
          let parsed = '';
          const trust = (html: string) => {
            parsed = html;
            return trusted.createHTML(html);
          };
          const { content } = document.createElement('template');
          Html({ class: 'any', html: text, trust }).attributes.put(content);
          const values = [...content.querySelectorAll('*')].map((one) => [
            one.localName,
            one.getAttribute('title'),
            one.getAttribute('alt'),
          ]);
          return { parsed, values, text: content.textContent };
        });
      }, texts);
      const expected = await free.evaluate(
        (both) =>
          both.map(({ text, parsed }) => {
            const { document } = globalThis as unknown as InPage;
            const template = document.createElement('template');
            template.innerHTML = parsed;
            const names = [...template.content.querySelectorAll('*')].flatMap(({ attributes }) =>
              [...attributes].map(({ name }) => name).filter((name) => /^(style|on)/.test(name)),
            );
            template.innerHTML = text;
            for (const one of template.content.querySelectorAll('*')) {
              if (!/^(p|a|img|table|tbody|tr|td)$/.test(one.localName)) one.remove();
            }
            const values = [...template.content.querySelectorAll('*')].map((one) => [
              one.localName,
              one.getAttribute('title'),
              one.getAttribute('alt'),
            ]);
            return { names, values, text: template.content.textContent };
          }),
        texts.map((text, index) => ({ text, parsed: cleaned[index]?.parsed ?? '' })),
      );
      for (const [index, { names, ...as }] of expected.entries()) {
        const text = texts[index] ?? '';
        expect(names, text).toEqual([]);
        const { parsed, ...shown } = cleaned[index] ?? { parsed: '' };
        if (isComparable(text)) expect(shown, `${text} as ${parsed}`).toEqual(as);
      }
    }),
    { numRuns: 10 },
  );
  expect(await violated()).toEqual([]);
  expect(complaints.filter((line) => !line.includes('Failed to load resource'))).toEqual([]);
});

/** The part of `<img>` that this file uses. The tests are typed without DOM types. */
interface Picture {
  /** Resolves once the picture can be painted. */
  decode(): Promise<void>;
}

const cells = (count: number, cell: string) => `<tr>${cell.repeat(count)}</tr>`;
const mail = `<p>Both orders: <img src="/img/a.svg" width="100" style="display:block" alt="first"><img style="display:block" width="100" src="/img/b.svg" alt="second"></p>
  <p><img src="/img/c.svg" width="600" height="120" alt="wide"><img src="/img/d.svg" width="30" height="40" alt="small"><img src="/img/e.svg" width="50" height="40" style="width: 25px" alt="styled"></p>
  <table width="100%" style="background-color: #eef" border="1" cellpadding="10" cellspacing="0"><tr><td width="80" height="60">Level</td><td>Bonus<table><tr><td>within</td></tr></table></td></tr></table>
  <ol type="A" start="3"><li>Third</li></ol>
  <p style="white-space:nowrap">A line that is not to be broken, however long the line is and whatever the panel it stands in is wide.</p>
  <table border="0">${cells(20, '<td>Monday</td>')}</table>`;

test('tables and pictures of a mail keep their sizes; content that is too wide scrolls', async (context) => {
  const { page, widget, style, violated } = await uiPage(browser, context, {
    viewport: { width: 390, height: 780 },
    state: { inbox: [{ ...message, Message: mail }], inboxOpen: true, openId: 1 },
  });
  const html = widget.locator('.crm-html');
  const size = async (selector: string) => {
    const box = await html.locator(selector).first().boundingBox();
    return [Math.round(box?.width ?? 0), Math.round(box?.height ?? 0)];
  };
  await html.locator('img').evaluateAll((pictures: Picture[]) => Promise.all(pictures.map((one) => one.decode())));
  await keepPicture(page, 'mail');
  // The test picture is twice as wide as it is high.
  expect(await size('[alt=first]')).toEqual([100, 50]);
  expect(await size('[alt=second]')).toEqual([100, 50]);
  const [width = 0] = await size('p');
  expect(await size('[alt=wide]')).toEqual([width, Math.round(width / 5)]);
  expect(await size('[alt=small]')).toEqual([30, 40]);
  expect(await size('[alt=styled]')).toEqual([25, 20]);
  expect(await size('table')).toEqual([width, expect.any(Number)]);
  expect((await size('td'))[1]).toBeGreaterThanOrEqual(60);
  expect(await style('.crm-html table', 'border-top-width')).toBe('1px');
  expect(await style('.crm-html table', 'border-spacing')).toBe('0px');
  expect(await style('.crm-html td', 'border-top-width')).toBe('1px');
  expect(await style('.crm-html td', 'padding-left')).toBe('10px');
  expect(await style('.crm-html td td', 'border-top-width')).toBe('0px');
  expect(await style('.crm-html td td', 'padding-left')).toBe('1px');
  expect(await style('.crm-html ol', 'list-style-type')).toBe('upper-alpha');

  const last = html.locator('td').last();
  // The text is on one line.
  expect((await last.boundingBox())?.height).toBeLessThan(40);
  expect((await last.boundingBox())?.x).toBeGreaterThan(390);
  await last.scrollIntoViewIfNeeded();
  await keepPicture(page, 'mail-sideways');
  const box = await last.boundingBox();
  expect(box && box.x > 0 && box.x + box.width <= 390).toBe(true);
  expect((await widget.locator('.crm-heading').boundingBox())?.x).toBeLessThan(20);
  expect(await axeFinds(page)).toEqual([]);
  expect(await violated()).toEqual([]);
});

interface Shown {
  localName: string;
  textContent: string;
  attributes: Iterable<{ name: string; value: string }>;
  getAttribute(name: string): string | null;
  querySelectorAll(selector: string): Iterable<Shown>;
  remove(): void;
}
interface InPage {
  Html(properties: { class: string; html: string; trust(html: string): string }): {
    attributes: { put(element: Shown): void };
  };
  trusted: { createHTML(html: string): string };
  document: { createElement(tag: string): { innerHTML: string; content: Shown } };
}
