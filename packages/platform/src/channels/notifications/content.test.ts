import { describe, expect, test } from 'vitest';
import { cleanContent, contentLimits, deepestData } from './content.ts';
import { cleanHtml } from './html.ts';
import { isSafeLink } from './links.ts';
import type { NotificationContent } from './notification.ts';
import { plainText } from './plain-text.ts';

const rel = 'rel="noopener noreferrer"';

describe('HTML of messages', () => {
  test.each([
    ['stays as it is', '<p>Ten <b>spins</b><br />on us</p>', '<p>Ten <b>spins</b><br />on us</p>'],
    ['loses scripts with what is in them', 'a<script>alert(1)</script>b', 'ab'],
    [
      'loses handlers',
      '<img src="https://x.example/a.png" onerror="alert(1)">',
      '<img src="https://x.example/a.png" />',
    ],
    ['loses classes and ids', '<p class="crm-close" id="crm-widget">a</p>', '<p>a</p>'],
    ['loses frames and forms', '<iframe src="https://x.example"></iframe><form><input name="a" />b</form>', 'b'],
    ['loses style sheets', '<style>* { display: none }</style>a', 'a'],
    ['loses drawings', '<svg><a xlink:href="javascript:alert(1)">a</a></svg>', '<a rel="noopener noreferrer">a</a>'],
    [
      'protects the page from windows that links open',
      '<a href="https://x.example" target="_blank" rel="opener">a</a>',
      `<a href="https://x.example" ${rel} target="_blank">a</a>`,
    ],
    ['opens no named window', '<a href="/promo" target="game">a</a>', `<a href="/promo" ${rel}>a</a>`],
    ['loses javascript links', '<a href="java\nscript:alert(1)">a</a>', `<a ${rel}>a</a>`],
    ['loses data images', '<img src="data:image/svg+xml;base64,AAAA" alt="x">', '<img alt="x" />'],
    ['loses addresses without a scheme', '<img src="//x.example/a.png">', '<img />'],
    [
      'keeps mail and telephone links',
      '<a href="mailto:a@x.example">a</a><a href="tel:+356">b</a>',
      `<a href="mailto:a@x.example" ${rel}>a</a><a href="tel:+356" ${rel}>b</a>`,
    ],
    [
      'keeps permitted styles',
      '<p style="color: #ff0000; text-align:center; padding: 4px 8px">a</p>',
      '<p style="color:#ff0000;text-align:center;padding:4px 8px">a</p>',
    ],
    [
      'loses styles that load files or cover the page',
      '<p style="background:url(https://x.example/a);position:fixed;margin:-99px;color:red">a</p>',
      '<p style="color:red">a</p>',
    ],
    ['loses styles that run', '<p style="width: expression(alert(1)); behavior: url(x)">a</p>', '<p>a</p>'],
    ['is not fooled by broken tags', '<<script>alert(1)//<</script>', '&lt;'],
  ])('%s', (_what, given, clean) => {
    expect(cleanHtml(given)).toBe(clean);
    expect(cleanHtml(cleanHtml(given))).toBe(clean);
  });
});

test.each([
  ['5 < 6 & 7 > 6, <3', '5 < 6 & 7 > 6, <3'],
  ['Fish &amp; chips', 'Fish &amp; chips'],
  ['<b>Ten</b> spins', 'Ten spins'],
  ['<scr<b>ipt>alert(1)</scr</b>ipt>', 'ipt>alert(1)ipt>'],
  ['<img src=x onerror=alert(1)', ''],
  ['<!-- x --> a', 'x --> a'],
  ['a\u0000\u0007b\nc', 'ab\nc'],
])('plain text %j', (given, clean) => {
  expect(plainText(given)).toBe(clean);
});

test.each([
  ['https://casino.example/promo?a=1#b', true],
  ['http://casino.example', true],
  ['/promo', true],
  ['//evil.example', false],
  ['/\\evil.example', false],
  ['javascript:alert(1)', false],
  ['java\nscript:alert(1)', false],
  [' https://casino.example', false],
  ['mailto:a@x.example', false],
  ['https://', false],
  ['https://user:password@casino.example/', false],
  ['https://casino.example@evil.example/', false],
  ['https://casino.example/@anna', true],
  ['promo', false],
])('the link of a button may be %j: %s', (address, safe) => {
  expect(isSafeLink(address)).toBe(safe);
});

const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

describe('errors name their field', () => {
  const empty: NotificationContent = {
    event: 'inbox',
    display_type: 'push',
    title: 'a',
    message: '',
    preview_text: '',
    footer_text: '',
    data: '{}',
    cta_button_link: '',
    cta_button_text: '',
    cta_button2_link: '',
    cta_button2_text: '',
    image_url: '',
  };
  test.each([
    [{ title: 'x'.repeat(contentLimits.title + 1) }, ['title max_length']],
    [
      { message: 'x'.repeat(contentLimits.message + 1), cta_button_link: 'javascript:alert(1)' },
      ['message max_length', 'cta_button_link link'],
    ],
    [{ cta_button2_link: 'ftp://x.example', image_url: 'data:,' }, ['cta_button2_link link', 'image_url link']],
    [{ title: '<b></b>', message: ' ' }, ['title empty']],
    [{ title: 'Spin \ud83c' }, ['title unicode']],
    [{ title: 'Spin \ud83c\udfb0' }, []],
    [
      { message: '\udfb0', cta_button_text: '\ud83c', data: '[]' },
      ['message unicode', 'cta_button_text unicode', 'data object'],
    ],
    [{ cta_button_text: 'Spin' }, ['cta_button_link required']],
    [{ cta_button2_text: 'Not now', cta_button_link: '/promo' }, []],
    [{ cta_button_text: '<b></b>', cta_button2_text: 'Spin', cta_button2_link: '/promo' }, []],
    [{ data: '[]' }, ['data object']],
    [{ data: '{' }, ['data object']],
    [
      { message: '<a>'.repeat(6_000), footer_text: '&'.repeat(2_000) },
      ['message max_length', 'footer_text max_length'],
    ],
    [{ data: nested(deepestData) }, []],
    [{ data: nested(deepestData + 1) }, ['data max_depth']],
    [{ data: nested(8_000) }, ['data max_depth']],
  ])('case %#', (changes, errors) => {
    const found = cleanContent({ ...empty, ...changes }).errors;
    expect(found.map(({ path, rule }) => `${path} ${rule}`)).toEqual(errors);
  });
});
