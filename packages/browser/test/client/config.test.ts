import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { demoMessage } from '../../src/page/client/demo.ts';
import { siteTime, timeOf } from '../../src/page/client/time.ts';
import { fitsHeader, readSettings, readText } from '../../src/page/config/read.ts';
import { findRoot } from '../../src/page/config/staging.ts';

function read(config: unknown) {
  const hints: string[] = [];
  return { ...readSettings(config, 'crm', (text) => hints.push(text)), hints };
}
const trap = {
  get() {
    throw new Error('a trap');
  },
};

describe('the version', () => {
  const on = { enableEventTracking: true, enablePendingRewards: true, enableCrmIntegration: true };
  const off = { enableEventTracking: false, enablePendingRewards: false, enableCrmIntegration: false };
  test.each([
    [undefined, on, false],
    ['1.0', on, false],
    [1, on, false],
    [1.1, off, true],
    [' 1.1 ', off, true],
    ['2.0', on, false],
    [{}, on, false],
  ])('%s has its own defaults, and only 1.1 has the inbox', (integrationVersion, flags, hasInbox) => {
    const settings = read({ integrationVersion, inbox: { enable: true } });
    expect(settings).toMatchObject(flags);
    expect(settings.inbox.enable).toBe(hasInbox);
    expect(settings.hints.some((hint) => hint.includes("integrationVersion = '1.1'"))).toBe(!hasInbox);
  });

  test('of the page overrides the default', () => {
    expect(read({ integrationVersion: '1.1', enableEventTracking: true })).toMatchObject({ enableEventTracking: true });
    expect(read({ enableEventTracking: false, enablePendingRewards: 'false' })).toMatchObject({
      enableEventTracking: false,
      enablePendingRewards: false,
    });
  });
});

test('every key of the inbox has its default, and the badge is found with or without a hash', () => {
  expect(read(undefined).inbox).toEqual({
    enable: false,
    badgeId: null,
    navBarLogo: '',
    contactEmail: '',
    termsAboveButtons: false,
    closeModalOnFogClick: false,
  });
  expect(read({ inbox: { badgeId: '#count' } }).inbox.badgeId).toBe('count');
  expect(read({ inbox: { badgeId: 'count', termsAboveButtons: true } }).inbox).toMatchObject({
    badgeId: 'count',
    termsAboveButtons: true,
  });
});

test('texts come from translations, or else from inbox, or else from the defaults', () => {
  const { texts } = read({
    translations: { recieved: 'Erhalten:', own: 'Eigenes' },
    inbox: { recieved: 'not this one', readMore: 'Mehr', close: 'Zu', enable: true },
  });
  expect(texts).toMatchObject({
    recieved: 'Erhalten:',
    readMore: 'Mehr',
    close: 'Zu',
    cancel: 'Cancel',
    own: 'Eigenes',
    inboxEmpty: 'There is currently no messages in your inbox',
  });
  expect(texts).not.toHaveProperty('enable');
});

test.each([
  null,
  42,
  'crm',
  () => {},
  new Proxy({}, { ...trap, ownKeys: trap.get }),
  { inbox: 7, translations: [], integrationVersion: Symbol('1.1') },
  Object.defineProperty({}, 'inbox', trap),
])('a configuration of another type is read as the defaults (%#)', (config) => {
  const { hints: _, ...settings } = read(config);
  const { hints: __, ...defaults } = read({});
  expect({ ...settings, texts: {} }).toEqual({ ...defaults, texts: {} });
  expect(settings.texts).toMatchObject(defaults.texts);
});

test('a session id is a text or a number', () => {
  expect([' a ', 12, '', null, {}, true].map(readText)).toEqual(['a', '12', '', '', '', '']);
});

test('a session id that fetch would reject is detected first', () => {
  const legal = (sid: string) => {
    try {
      return new Headers({ sid }).get('sid') === sid;
    } catch {
      return false;
    }
  };
  const sids = ['a-1.B_2~', 'a b', 'é', 'a\nb', 'a\0', '€', '会员', 'a\u2028'];
  expect(sids.map(fitsHeader)).toEqual(sids.map(legal));
  expect(fitsHeader('a\x7f')).toBe(false);
});

describe('a demo message', () => {
  test('accepts every option, and ignores values that are not text', () => {
    const options = {
      Event: 'shoutout',
      Title: 'T',
      Message: '<b>M</b>',
      PreviewText: 'P',
      FooterText: 'F',
      ImageUrl: '/i.png',
      CTAButtonLink: '/1',
      CTAButtonText: 'One',
      CTAButton2Link: '/2',
      CTAButton2Text: 'Two',
      Expires: '2026-03-02 13:00:00',
      DisplayType: 'silent',
    };
    expect(demoMessage(options)).toMatchObject(options);
    expect(demoMessage({ Event: 'other', Title: 'T', Message: ['x'], FooterText: {} })).toMatchObject({
      Event: 'message',
      DisplayType: 'push',
      Title: 'T',
      Message: '',
      FooterText: '',
      CTAButtonText: '',
      Date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    });
  });

  test('without texts is an example in which each text is the name of its field', () => {
    const example = { Message: 'Message', PreviewText: 'PreviewText', CTAButton2Text: 'CTAButton2Text', ImageUrl: '' };
    expect(demoMessage(undefined)).toMatchObject({ ...example, Title: 'Title', FooterText: 'FooterText' });
    const given = { Event: 'inbox', CTAButtonText: 'Play', CTAButtonLink: '/play' };
    expect(demoMessage(given)).toMatchObject({ ...example, ...given });
  });

  test('has a number that no message of a server has', () => {
    const [one, other] = [demoMessage(undefined), demoMessage(undefined)];
    expect(one.MessageId).toBeGreaterThan(2 ** 52);
    expect(other.MessageId).toBeGreaterThan(one.MessageId);
  });
});

describe('the address of the platform', () => {
  const hints: string[] = [];
  const find = async (staging: boolean, answer?: Response) => {
    hints.length = 0;
    vi.stubGlobal('fetch', async () => answer ?? Promise.reject(new TypeError('no answer')));
    onTestFinished(() => void vi.unstubAllGlobals());
    return findRoot({ root: 'https://crm.example', staging, hint: (text) => hints.push(text) }, 'demo');
  };

  test('is the script’s own, or that of the brand’s staging installation', async () => {
    expect(await find(false)).toBe('https://crm.example');
    expect(await find(true, Response.json({ staging_url: 'https://staging.example' }))).toBe('https://staging.example');
    expect(hints).toEqual([]);
  });

  test('of a brand without a staging installation is this one, and that is logged', async () => {
    expect(await find(true, Response.json({ staging_url: '' }))).toBe('https://crm.example');
    expect(hints).toEqual(['no staging_url: this is https://crm.example']);
  });

  test.each([
    ['no answer', undefined],
    ['somebody refuses', Response.json({}, { status: 503 })],
    ['something else answers', new Response('<html>')],
  ])('is not this one if %s', async (_, answer) => {
    await expect(find(true, answer)).rejects.toMatchObject({ code: 'offline', status: 0 });
  });
});

test('times are UTC, and an invalid time is infinitely far in the future', () => {
  expect(timeOf('2026-03-02 13:00:00')).toBe(Date.UTC(2026, 2, 2, 13));
  expect(siteTime(Date.UTC(2026, 2, 2, 13))).toBe('2026-03-02 13:00:00');
  expect(['', 'soon', '2026-13-45 00:00:00'].map(timeOf)).toEqual(Array(3).fill(Number.POSITIVE_INFINITY));
});
