import { expect, test } from 'vitest';
import { channelsWithSettings, fieldsOf, firstValues, settingsToSend } from './channel-fields.ts';

test('settings are sent without empty fields and fields of other providers; an emptied signature is removed', () => {
  const sms = {
    provider: 'http',
    url: 'https://x.example',
    auth_token: 'of twilio',
    headers: {},
    from: '',
    enabled: true,
  };
  expect(settingsToSend('sms', sms)).toEqual({ provider: 'http', url: 'https://x.example', enabled: true });
  const email = { host: 'smtp.example', username: '', dkim: { domain: '', selector: '' } };
  expect(settingsToSend('email', email)).toEqual({ host: 'smtp.example', username: '', dkim: null });
  expect(settingsToSend('email', { host: 'a', dkim: { domain: 'x', private_key: '' } })).toEqual({
    host: 'a',
    dkim: { domain: 'x' },
  });
  expect(settingsToSend('email', { host: 'a' })).toEqual({ host: 'a' });
});

test.each(channelsWithSettings)('each setting of %s is in one group', (channel) => {
  const paths = fieldsOf(channel).map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths).toEqual(expect.arrayContaining(Object.keys(firstValues[channel])));
});
