import { describe, expect, test } from 'vitest';
import type { Brand } from '../../brands/index.ts';
import { readDeclaration } from '../../brands/index.ts';
import type { NotificationContent } from '../notifications/notification.ts';
import { contentErrors, variableErrors } from './check.ts';
import { type Addressee, type BlockTexts, ReadTemplate } from './compose.ts';
import { differences } from './difference.ts';
import type { EmailContent } from './email-content.ts';
import { chooseLanguage } from './language.ts';
import { plainPart } from './plain-part.ts';
import type { Template } from './template.ts';

const footers = [
  { market: 'uk', language: 'en', text: '<b>18+</b> begambleaware.org' },
  { market: '*', language: 'de', text: 'Ab 18 <script>x</script>' },
  { market: '*', language: 'en', text: 'Play responsibly' },
];
const reading = readDeclaration({ code: 'malta', name: 'Malta Casino', responsible_gambling: footers }, 'brand');
if (!reading.ok) throw new Error('a brand of the tests is wrong');
const { declaration } = reading;
const brand = { ...declaration, brand_id: 1, declared: false } as unknown as Brand;

const to: Addressee = { language: 'en', market: null, country: null, unsubscribeUrl: () => 'https://crm.example/u/x' };
const anna = { player: { first_name: 'Anna & <b>Co</b>', user_id: 'p-1' }, trait: { deposit_sum_7d: '12.50' } };

function template(
  channel: Template['channel'],
  content: Template['content'],
  purpose: Template['purpose'] = 'marketing',
) {
  return { channel, purpose, content };
}
const read = (one: ReturnType<typeof template>, blocks: BlockTexts = {}) => new ReadTemplate(one, brand, blocks);
const site = (fields: Record<string, string | object>, variables: object = anna, more: Partial<Addressee> = {}) => {
  const composed = read(template('site', { en: fields as never }, 'service')).compose(variables, { ...to, ...more });
  return { ...composed, content: composed.content as NotificationContent };
};
const email = (
  fields: Record<string, string>,
  {
    purpose = 'marketing',
    blocks = {},
    more = {},
  }: {
    purpose?: Template['purpose'];
    blocks?: BlockTexts;
    more?: Partial<Addressee>;
  } = {},
) => {
  const composed = read(template('email', { en: fields }, purpose), blocks).compose(anna, { ...to, ...more });
  return { ...composed, content: composed.content as EmailContent };
};

describe('languages', () => {
  test.each([
    [['en', 'pt', 'pt-BR'], 'pt-br', 'en', 'pt-BR'],
    [['en', 'pt'], 'pt_BR', 'en', 'pt'],
    [['en', 'de'], 'fr', 'de-AT', 'de'],
    [['en', 'de'], null, 'de', 'de'],
    [['fi', 'sv'], 'fr', 'en', 'fi'],
    [[], 'fr', 'en', null],
  ])('from %j, a player with %s, of a brand with %s, gets %s', (has, wanted, byDefault, chosen) => {
    expect(chooseLanguage(has, wanted, byDefault)).toBe(chosen);
  });
});

describe('a required field that a language lacks', () => {
  const compose = (channel: Template['channel'], content: Template['content'], language = 'de') =>
    read(template(channel, content, 'service')).compose({}, { ...to, language });

  test.each([
    ['email', { en: { subject: 'Hi', mjml: 'x' }, de: { html: 'Hallo' } }, { subject: 'Hi', text: 'Hallo' }],
    ['email', { en: { subject: 'Hi', html: 'Hello', text: 'Plain' }, de: { subject: 'Hallo' } }, { text: 'Hello' }],
    ['sms', { en: { text: 'Hello' }, de: { text: ' ' } }, { text: 'Hello' }],
    ['webhook', { en: { url: 'https://x.example/' }, de: { body: { a: 'b' } } }, { url: 'https://x.example/' }],
    ['telephone', { en: { list: 'vip' }, de: { note: 'Anrufen' } }, { list: 'vip', note: 'Anrufen' }],
    [
      'site',
      {
        en: {
          title: 'Hi',
          cta_button_text: 'Go',
          cta_button_link: 'https://x.example/',
          image_url: 'https://x.example/i.png',
        },
        de: { title: 'Hallo', cta_button_text: 'Los' },
      },
      // The picture is optional, so its absence may be intended.
      { title: 'Hallo', cta_button_text: 'Los', cta_button_link: 'https://x.example/', image_url: '' },
    ],
    [
      'site',
      { en: { title: 'Hi', cta_button_link: 'https://x.example/' }, de: { title: 'Hallo' } },
      { cta_button_link: '' },
    ],
  ] as const)('comes from another language (%s, %j)', (channel, content, expected) => {
    expect(contentErrors(channel, content)).toEqual([]);
    const composed = compose(channel, content);
    expect(composed).toMatchObject({ language: 'de', errors: [], content: expected });
  });

  test("comes from a parent of the language, then from the brand's language, then from the first that has it", () => {
    const subjects = (...languages: string[]) => {
      const whole = Object.fromEntries(languages.map((one) => [one, { subject: one, html: 'x' }]));
      const { content } = compose('email', { ...whole, 'pt-BR': { html: 'x' } }, 'pt-BR');
      return (content as EmailContent).subject;
    };
    expect(subjects('fi', 'en', 'pt')).toBe('pt');
    expect(subjects('fi', 'en')).toBe('en');
    expect(subjects('fi', 'sv')).toBe('fi');
  });

  test('is reported once if it has an error: for the language in which it is written', () => {
    const one = read(template('email', { en: { subject: '{{ a ', html: 'x' }, de: { html: 'x' } }));
    expect(one.errors.map(({ path }) => path)).toEqual(['en.subject']);
  });
});

describe('values', () => {
  test('are escaped in HTML, unchanged in plain text, and encoded in links', () => {
    const { content } = site({
      title: 'Hello {{ player.first_name }}',
      message: '<p>{{ player.first_name }} {{ trait.deposit_sum_7d }}</p>',
      cta_button_link: 'https://casino.example/?name={{ player.first_name }}',
      cta_button_text: 'Go',
    });
    expect(content.title).toBe('Hello Anna & Co');
    expect(content.message).toBe('<p>Anna &amp; &lt;b&gt;Co&lt;/b&gt; 12.50</p>');
    expect(content.cta_button_link).toBe('https://casino.example/?name=Anna%20%26%20%3Cb%3ECo%3C%2Fb%3E');
  });

  test('can contain a whole link, but not one that runs a script', () => {
    const fields = { title: 'x', cta_button_link: '{{ offer.link }}', cta_button_text: 'Go' };
    expect(site(fields, { offer: { link: '/promo?a=1' } }).content.cta_button_link).toBe('/promo?a=1');
    const { errors, content } = site(fields, { offer: { link: 'javascript:alert(1)' } });
    expect(errors.length + Number(content.cta_button_link.startsWith('javascript'))).toBeGreaterThan(0);
    expect(content.cta_button_link).not.toMatch(/^javascript:/);
  });

  test('in `data` are inserted into its texts only', () => {
    const data = { name: '{{ player.first_name }}', n: 1, list: ['{{ trait.deposit_sum_7d }}', true] };
    const { content } = site({ title: 'x', data });
    expect(JSON.parse(content.data)).toEqual({ name: 'Anna & <b>Co</b>', n: 1, list: ['12.50', true] });
  });

  test('that are missing are listed, but not those with a default or inside a condition that is false', () => {
    const title =
      'x {{ player.title }} {{ player.city | upcase }} {{ player.sex | default: "-" }}{% if player.email %}{{ player.email }}{% endif %}';
    const { missing, content } = site({ title, message: '{{ event.amount }}' });
    expect(missing.toSorted()).toEqual(['event.amount', 'player.city', 'player.title']);
    expect(content.title).toBe('x   -');
  });

  test('that a block inserts are listed, too', () => {
    const { missing } = email(
      { subject: 'x', html: 'Hi {% render "sign" %}' },
      { blocks: { sign: '{{ player.nope }}' } },
    );
    expect(missing).toEqual(['player.nope']);
  });
});

describe('links', () => {
  const link = (cta_button_link: string, value: string) =>
    site({ title: 'x', cta_button_text: 'Go', cta_button_link }, { offer: { link: value } }).content.cta_button_link;

  test.each([
    ['{{ offer.link }}', '/promo?a=1', '/promo?a=1'],
    ['{% if offer.link %}{{ offer.link }}{% endif %}', 'https://x.example/a', 'https://x.example/a'],
    ['https://x.example/?n={{ offer.link }}&a=1', '/&a=100#', 'https://x.example/?n=%2F%26a%3D100%23&a=1'],
    [
      'https://x.example/p/{{ offer.link }}/touch',
      '/../../admin?x=',
      'https://x.example/p/%2F..%2F..%2Fadmin%3Fx%3D/touch',
    ],
  ])('a whole address stays unchanged at the beginning of a link only: %s', (written, value, expected) => {
    expect(link(written, value)).toBe(expected);
  });
});

test('the fields of a message together have one second', () => {
  const loop = '{% for a in (1..400) %}{% for b in (1..400) %}{% assign c = a %}{% endfor %}{% endfor %}';
  const data = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`n${n}`, loop]));
  const began = performance.now();
  const { errors } = read(template('operator', { en: { title: 'x', text: 'y', data } as never })).compose(anna, to);
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(errors.some(({ rule }) => rule === 'time' || rule === 'liquid')).toBe(true);
});

describe('blocks and layouts', () => {
  const blocks = {
    sign: '<p>Yours, {{ brand.name }} and {{ player.first_name }}</p>',
    frame: '<div>{% block content %}{% endblock %}{% render "sign" %}</div>',
  };

  test('a layout surrounds the text, a block is inserted into it, and both can use the variables', () => {
    const html = '{% layout "frame" %}{% block content %}<p>Ten spins</p>{% endblock %}';
    const { content } = email({ subject: 'x', html }, { blocks });
    expect(content.html).toContain(
      '<div><p>Ten spins</p><p>Yours, Malta Casino and Anna &amp; &lt;b&gt;Co&lt;/b&gt;</p></div>',
    );
  });

  test('no file is read, and a block that does not exist is an error of its field', () => {
    for (const name of ['/etc/passwd', '../../package.json', 'nothing'])
      expect(read(template('site', { en: { title: `{% render '${name}' %}` } })).errors).toEqual([
        expect.objectContaining({
          path: 'en.title',
          message: expect.stringContaining(`the block ${name} does not exist`),
        }),
      ]);
  });

  test('a block that includes itself ends with an error, not with a crash of the process', () => {
    const one = template('email', { en: { subject: 'x', html: '{% include "loop" %}' } });
    const looping = read(one, { loop: '{% include "loop" %}' });
    const { errors } = looping.compose(anna, to);
    expect([...looping.errors, ...errors][0]).toMatchObject({ rule: 'liquid', path: expect.stringContaining('html') });
  });
});

describe('limits', () => {
  test.each([
    ['time', '{% for i in (1..9999) %}{% for j in (1..9999) %}x{% endfor %}{% endfor %}'],
    ['time, between tags', '{% assign a = (1..50000) | where_exp: "x", "x > 3" %}'.repeat(20)],
    ['characters', '{% for i in (1..900000000) %}x{% endfor %}'],
    [
      'characters, by captures',
      `{% assign a = "x" %}${'{% capture a %}{{ a | raw }}{{ a | raw }}{% endcapture %}'.repeat(28)}`,
    ],
    ['size', '{% for i in (1..600) %}{% for j in (1..100) %}xxxxxxxxxx{% endfor %}{% endfor %}'],
  ])('a text that exceeds the limit of %s is an error of its field', (_, message) => {
    expect(site({ title: 'x', message }).errors).toEqual([
      expect.objectContaining({ path: 'message', rule: 'liquid', message: expect.stringContaining('limit exceeded') }),
    ]);
  });

  test('a template cannot access JavaScript', () => {
    const { content } = site({
      title: 'x{{ player.constructor.name }}{{ player.__proto__ }}{{ player.first_name.constructor }}',
    });
    expect(content.title).toBe('x');
  });
});

describe('errors', () => {
  test('name language and field', () => {
    const wrong = { en: { subject: 'x', body: 'y' }, 'no language': {}, EN: {} };
    expect(contentErrors('email', wrong).map(({ path, rule }) => [path, rule])).toEqual([
      ['content.en.body', 'unknown'],
      ['content.no language', 'language'],
      ['content.EN', 'language'],
    ]);
    expect(contentErrors('site', { en: { event: 'popup', title: 5 as never, data: 'x' } })).toHaveLength(3);
    expect(contentErrors('site', {})).toHaveLength(1);
  });

  test('unknown variables are found before anything is sent', () => {
    const names = [
      'player.frist_name',
      'trait.deposit_sum_7',
      'trait.deposit_sum_7d',
      'trait.nope_7d',
      'brand.x',
      'user.id',
    ];
    const known = [
      'player.first_name',
      'player.segmentation.vip.level',
      'event.items[0].name',
      'unsubscribe_url',
      'offer.x',
    ];
    const title = [...names, ...known].map((name) => `{{ ${name} }}`).join('');
    const wrong = variableErrors(read(template('site', { en: { title: `${title}{% assign a = 1 %}{{ a }}` } })));
    expect(wrong.map(({ message }) => message.split(' ', 1)[0])).toEqual(
      names.filter((name) => name !== 'trait.deposit_sum_7d'),
    );
  });

  test.each(['{{ a ', '{% if a %}', '{{ a | nofilter }}'])('%s is an error with its line', (title) => {
    expect(read(template('site', { en: { title } })).errors).toEqual([
      expect.objectContaining({ path: 'en.title', message: expect.stringContaining('line:1') }),
    ]);
  });
});

describe('e-mails', () => {
  const mjml = `<mjml><mj-head><mj-preview>Ten spins</mj-preview></mj-head><mj-body><mj-section><mj-column>
    <mj-text>Hello {{ player.first_name }},<br/>take <a href="https://casino.example/a?b=1&amp;c=2">ten spins</a></mj-text>
    <mj-button href="https://casino.example/spin">Spin</mj-button>
    <mj-image src="https://casino.example/i.png" alt="Our logo" /></mj-column></mj-section></mj-body></mjml>`;

  test('MJML becomes a whole document with a plain part', () => {
    const { content, errors } = email({ subject: 'For {{ player.user_id }}', mjml }, { purpose: 'service' });
    expect(errors).toEqual([]);
    expect(content.subject).toBe('For p-1');
    expect(content.html).toMatch(/^<!doctype html>/i);
    expect(content.html).toContain('Anna &amp; &lt;b&gt;Co&lt;/b&gt;');
    expect(content.html).toContain('href="https://casino.example/a?b=1&amp;c=2"');
    expect(content.html).not.toContain('<mj-');
    expect(content.html).toContain('lang="en"');
    // No external resource is loaded except the pictures that the author names.
    expect([...content.html.matchAll(/(?:src|url\(|<link[^>]*href)=?"?([^"\s)]*)/g)].map(([, url]) => url)).toEqual([
      'https://casino.example/i.png',
    ]);
    expect(content.text).toBe(
      [
        'Hello Anna & <b>Co</b>,',
        'take ten spins (https://casino.example/a?b=1&c=2)',
        'Spin (https://casino.example/spin)',
        'Our logo',
      ].join('\n'),
    );
  });

  test('a plain part by the author replaces the generated one', () => {
    expect(email({ subject: 'x', mjml, text: 'Plain {{ player.user_id }}' }, { purpose: 'service' }).content.text).toBe(
      'Plain p-1',
    );
  });

  test('its content cannot run a script, load a frame, or link to a scheme that is not permitted', () => {
    const evil = mjml.replace(
      '<mj-button href="https://casino.example/spin">',
      '<mj-raw><script>alert(1)</script><iframe src="https://x"></iframe><img src="x" onerror="alert(1)"></mj-raw><mj-include path="/etc/passwd" /><mj-button href="javascript:alert(1)" onclick="x">',
    );
    const { content } = email({ subject: 'x', mjml: evil });
    expect(content.html).not.toMatch(/<script|<iframe|onerror|onclick|javascript:|passwd/i);
    expect(content.html).toContain('Spin');
  });

  test('a fragment of HTML is placed in a frame, after its preheader', () => {
    const { content } = email({ subject: 'x', preheader: 'Look & see', html: '<p>Hello</p>' }, { purpose: 'service' });
    expect(content.html).toContain('<p>Hello</p>');
    expect(content.html).toContain('Look &amp; see');
    expect(content.text).toBe('Hello');
  });

  test("marketing ends with the market's responsible gambling text and an unsubscribe link, unless the author placed them elsewhere", () => {
    const { content } = email({ subject: 'x', html: 'Hello' }, { more: { market: 'UK' } });
    expect(content.html).toContain('<b>18+</b> begambleaware.org');
    expect(content.html).toContain('<a href="https://crm.example/u/x"');
    expect(content.text).toBe('Hello\n\n18+ begambleaware.org\n\nUnsubscribe: https://crm.example/u/x');
    const placed = email({ subject: 'x', html: '{{ responsible_gambling }}|<a href="{{ unsubscribe_url }}">Out</a>' });
    expect(placed.content.text).toBe('Play responsibly|Out (https://crm.example/u/x)');
    expect(email({ subject: 'x', html: 'Hello' }, { purpose: 'service' }).content.text).toBe('Hello');
  });

  describe('a part of marketing', () => {
    const link = 'https://crm.example/u/x';
    const both = '{{ responsible_gambling }} {{ unsubscribe_url }}';

    test('ends with the text and the link if the author placed them only in the other part', () => {
      const inText = email({ subject: 'x', html: '<p>Hello</p>', text: `Hello ${both}` }).content;
      expect(inText.text).toBe(`Hello Play responsibly ${link}`);
      expect(inText.html).toContain('Play responsibly');
      expect(inText.html).toContain(`<a href="${link}"`);
      const inHtml = email({
        subject: 'x',
        html: '{{ responsible_gambling }} <a href="{{ unsubscribe_url }}">Out</a>',
        text: 'Hello',
      });
      expect(inHtml.content.text).toBe(`Hello\n\nPlay responsibly\n\nUnsubscribe: ${link}`);
      expect(inHtml.content.html.split('Play responsibly')).toHaveLength(2);
      expect(inHtml.content.html.split(link)).toHaveLength(2);
    });

    test.each(['subject', 'preheader'])('ends with them if the author used them only in the %s', (field) => {
      const { content } = email({ subject: 'x', html: 'Hello', [field]: both });
      expect(content.html).toContain(`<a href="${link}"`);
      expect(content.text).toBe(`Hello\n\nPlay responsibly\n\nUnsubscribe: ${link}`);
    });

    test.each([
      ['email', { subject: 'x', html: `{% if player.vip %}${both}{% endif %}Spins` }],
      ['sms', { text: `{% if player.vip %}${both}{% endif %}Spins` }],
    ] as const)(
      'ends with them on %s if the author placed them in a branch that this player does not get',
      (channel, fields) => {
        const one = read(template(channel, { en: fields }));
        const textOf = (vip: boolean) => {
          const { content } = one.compose({ player: { vip } } as never, to);
          return (content as { text: string }).text.replace(/\n+/g, '\n');
        };
        expect(textOf(false)).toBe(`Spins\nPlay responsibly\nUnsubscribe: ${link}`);
        expect(textOf(true)).toBe(`Play responsibly ${link}Spins`);
      },
    );

    test('does not repeat a link with an ampersand, or the link of a picture', () => {
      const unsubscribeUrl = () => 'https://crm.example/u/x?a=1&b=2';
      const more = { unsubscribeUrl };
      const inHtml = email({ subject: 'x', html: '<a href="{{ unsubscribe_url }}">Out</a>' }, { more }).content;
      expect(inHtml.html.split('https://crm.example/u/x?a=1&amp;b=2')).toHaveLength(2);
      expect(inHtml.text).toBe(`Out (${unsubscribeUrl()})\n\nPlay responsibly`);
      const image = '<mj-image href="{{ unsubscribe_url }}" src="https://casino.example/out.png" alt="Out" />';
      const picture = `<mjml><mj-body><mj-section><mj-column>${image}</mj-column></mj-section></mj-body></mjml>`;
      const linked = email({ subject: 'x', mjml: picture }, { more }).content;
      expect(linked.html.split('https://crm.example/u/x?a=1&amp;b=2')).toHaveLength(2);
      // The plain part shows no link of a picture.
      expect(linked.text).toBe(`Out\n\nPlay responsibly\n\nUnsubscribe: ${unsubscribeUrl()}`);
    });

    test.each(['site', 'push'] as const)(
      'on %s ends with the text if the author used it where the player does not read it',
      (channel) => {
        const footerOf = (fields: Record<string, string>) => {
          const made = read(template(channel, { en: { title: 'x', ...fields } })).compose({}, to);
          return (made.content as NotificationContent).footer_text;
        };
        expect(footerOf({ preview_text: '{{ responsible_gambling }}' })).toBe('Play responsibly');
        expect(footerOf({ message: '{% if player.vip %}{{ responsible_gambling }}{% endif %}Hello' })).toBe(
          'Play responsibly',
        );
        expect(footerOf({ message: '<p>{{ responsible_gambling }}</p>' })).toBe('');
      },
    );
  });

  test('a line break in a value does not create a second header', () => {
    const one = read(template('email', { en: { subject: 'Hi {{ player.first_name }}', html: 'x' } }));
    const { content } = one.compose({ player: { first_name: 'A\r\nBcc: x@y.example' } }, to);
    expect((content as EmailContent).subject).toBe('Hi A Bcc: x@y.example');
  });

  test.each([
    [{ subject: '', html: 'x' }, 'subject'],
    [{ subject: 'x' }, 'mjml'],
    [{ subject: 'x', mjml: 'no mjml at all' }, 'mjml'],
  ])('%j cannot be sent', (fields, path) => {
    const { errors } = email(fields as unknown as Record<string, string>);
    expect(errors.map((error) => error.path)).toContain(path);
  });

  test('unclosed tags break neither this e-mail nor the next one', () => {
    const deep = `<mjml><mj-body><mj-section>${'<div><mj-section>'.repeat(5_000)}`;
    expect(() => email({ subject: 'x', mjml: deep })).not.toThrow();
    expect(email({ subject: 'x', mjml }).errors).toEqual([]);
  });
});

test('the responsible gambling text is selected by market, then for all markets, and by language', () => {
  const footer = (more: Partial<Addressee>, language: string) => {
    const one = read(template('site', { [language]: { title: 'x' } }));
    return (one.compose({}, { ...to, ...more }).content as NotificationContent).footer_text;
  };
  expect(footer({ market: 'UK' }, 'de')).toBe('<b>18+</b> begambleaware.org');
  expect(footer({ market: 'sweden' }, 'de')).toBe('Ab 18 ');
  expect(footer({}, 'fr')).toBe('Play responsibly');
});

describe('the responsible gambling text of the market', () => {
  const textOf = (
    channel: 'email' | 'sms' | 'site' | 'push',
    purpose: 'marketing' | 'service',
    more: Partial<Addressee>,
  ) => {
    const fields = { email: { subject: 'x', html: 'Hello' }, sms: { text: 'Hello' } };
    const written = channel === 'email' || channel === 'sms' ? fields[channel] : { title: 'Hello' };
    const { content, errors } = read(template(channel, { en: written }, purpose)).compose({}, { ...to, ...more });
    expect(errors).toEqual([]);
    return 'footer_text' in content ? content.footer_text : String((content as { text: string }).text);
  };
  const channels = ['email', 'sms', 'site', 'push'] as const;

  test.each(channels)('ends marketing on %s', (channel) => {
    const uk = channel === 'site' || channel === 'push' ? '<b>18+</b> begambleaware.org' : '18+ begambleaware.org';
    expect(textOf(channel, 'marketing', { market: 'UK' })).toContain(uk);
    expect(textOf(channel, 'marketing', { country: 'uk' })).toContain(uk);
    expect(textOf(channel, 'marketing', { country: 'GB' })).toContain(uk);
    // The operator's market takes precedence over the country.
    expect(textOf(channel, 'marketing', { market: 'UK', country: 'SE' })).toContain(uk);
    expect(textOf(channel, 'marketing', { market: 'SE' })).toContain('Play responsibly');
    expect(textOf(channel, 'marketing', { market: 'SE' })).not.toContain('begambleaware');
    expect(textOf(channel, 'marketing', { language: 'de' })).toContain('Play responsibly');
  });

  test.each(channels)('does not end a service message on %s', (channel) => {
    expect(textOf(channel, 'service', { market: 'UK' })).not.toContain('begambleaware');
  });

  test('is part of the length of an SMS', () => {
    const long = read(template('sms', { en: { text: 'x'.repeat(1_590) } }));
    expect(long.compose({}, { ...to, market: 'UK' }).errors.map(({ rule }) => rule)).toEqual(['max_length']);
  });
});

test('a plain part has one line per block, list item and row', () => {
  expect(plainPart('<h1>A</h1><ul><li>one</li><li>two &lt;3</li></ul><p>x<br>y&nbsp;z &amp; co</p>')).toBe(
    'A\n- one\n- two <3\nx\ny z & co',
  );
});

test('a difference lists each field that changed', () => {
  const before = { en: { title: 'a', message: 'm' }, de: { title: 'b' } };
  const after = { en: { title: 'a2', message: 'm' }, sv: { title: 'c' } };
  expect(differences(before, after)).toEqual([
    { language: 'en', field: 'title', before: 'a', after: 'a2' },
    { language: 'de', field: 'title', before: 'b', after: null },
    { language: 'sv', field: 'title', before: null, after: 'c' },
  ]);
});
