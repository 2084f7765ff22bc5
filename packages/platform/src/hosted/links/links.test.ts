import { consentTypes } from '@croupier/contracts';
import { describe, expect, test } from 'vitest';
import { channelCodes } from './channel-codes.ts';
import { listUnsubscribeHeaders } from './list-unsubscribe.ts';
import { type Receipt, Receipts, receiptMicros } from './receipts.ts';
import { type LinkHolder, linkForms, linkPaths, UnsubscribeLinks } from './unsubscribe-links.ts';

const publicUrl = 'https://crm.example';
const links = new UnsubscribeLinks({ publicUrl, secrets: ['a secret for tests'] });
const holder: LinkHolder = { brand_id: 1, player_id: 1_000_000, channel: 'Email' };
const tokenOf = (link: string) => link.slice(link.lastIndexOf('/') + 1);

test('a link that was sent years ago is still read correctly', () => {
  expect(links.link(holder)).toBe('https://crm.example/unsubscribe/9QgOezqDgaCeu5Ypj4Xs8L8ReMoo');
  expect(links.link({ ...holder, channel: 'SMS' })).toBe('https://crm.example/u/7ls8oDAZnThICvNv8eee');
  expect(channelCodes).toEqual({
    Email: 0,
    SMS: 1,
    Telephone: 2,
    PostMail: 3,
    SiteNotification: 4,
    PushNotification: 5,
  });
});

describe.each(linkForms)('the %s form', (form) => {
  const link = links.link(holder, form);
  const token = tokenOf(link);

  test('returns what it was created with, for every channel and the largest numbers', () => {
    expect(link.startsWith(`${publicUrl}${linkPaths[form]}/`)).toBe(true);
    for (const channel of consentTypes) {
      for (const player_id of [0, 127, 128, Number.MAX_SAFE_INTEGER]) {
        const one = { brand_id: 300, player_id, channel };
        expect(links.read(form, tokenOf(links.link(one, form)))).toEqual(one);
      }
    }
  });

  test('has only letters and digits, and minimal length', () => {
    expect(token).toMatch(/^[0-9A-Za-z]+$/);
    expect(token.length).toBeLessThanOrEqual(form === 'short' ? 20 : 28);
  });

  test('any change of any character is detected', () => {
    for (let place = 0; place < token.length; place++) {
      const other = token[place] === 'x' ? 'y' : 'x';
      expect(links.read(form, token.slice(0, place) + other + token.slice(place + 1))).toBeNull();
    }
  });

  test.each([
    '',
    '0',
    `0${token}`,
    token.slice(1),
    token.slice(0, -1),
    `${token}A`,
    `${token} `,
    '%00',
    'é',
    'A'.repeat(101),
  ])('the garbled token %j is invalid', (garbled) => expect(links.read(form, garbled)).toBeNull());

  test('is invalid as the other form, as a receipt, or with another secret', () => {
    const another = new UnsubscribeLinks({ publicUrl, secrets: ['another secret'] });
    expect(links.read(form === 'full' ? 'short' : 'full', token)).toBeNull();
    expect(new Receipts({ secrets: ['a secret for tests'] }).read(token, holder, 0)).toBeNull();
    expect(another.read(form, token)).toBeNull();
  });

  test('survives a change of the secret, if the old one is still configured', () => {
    const rotated = new UnsubscribeLinks({ publicUrl, secrets: ['a new secret', 'a secret for tests'] });
    expect(rotated.read(form, token)).toEqual(holder);
    expect(rotated.link(holder, form)).not.toBe(link);
    expect(links.read(form, tokenOf(rotated.link(holder, form)))).toBeNull();
  });
});

describe('a receipt', () => {
  const receipts = new Receipts({ secrets: ['a secret for tests'] });
  const at = 1_777_636_800_000_001;
  const receipt: Receipt = {
    brand_id: 1,
    player_id: 7,
    change_id: 99,
    at,
    stopped: ['Email', 'SMS'],
    restorable: ['SMS'],
  };
  const text = receipts.write(receipt);

  test('is readable for an hour', () => {
    expect(receipts.read(text, receipt, at)).toEqual(receipt);
    expect(receipts.read(text, receipt, at + receiptMicros)).toEqual(receipt);
    expect(receipts.read(text, receipt, at + receiptMicros + 1)).toBeNull();
  });

  test("is invalid with another player's link, or if it was changed", () => {
    expect(receipts.read(text, { brand_id: 1, player_id: 8 }, at)).toBeNull();
    expect(receipts.read(text, { brand_id: 2, player_id: 7 }, at)).toBeNull();
    expect(receipts.read(`${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`, receipt, at)).toBeNull();
  });
});

test('the header fields follow RFC 2369, and for an https link also RFC 8058', () => {
  expect(listUnsubscribeHeaders('https://crm.example/unsubscribe/x')).toEqual({
    'List-Unsubscribe': '<https://crm.example/unsubscribe/x>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  });
  expect(listUnsubscribeHeaders('http://localhost:8080/unsubscribe/x')).toEqual({
    'List-Unsubscribe': '<http://localhost:8080/unsubscribe/x>',
  });
});
