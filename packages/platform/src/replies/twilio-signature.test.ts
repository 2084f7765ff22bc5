import { expect, test } from 'vitest';
import { isSignedByTwilio, twilioSignature } from './twilio-signature.ts';

// The example in Twilio's documentation ("Validating Signatures from Twilio").
const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
const form = new URLSearchParams({
  CallSid: 'CA1234567890ABCDE',
  Caller: '+12349013030',
  Digits: '1234',
  From: '+12349013030',
  To: '+18005551212',
});

test('the signature matches the documented example, in any order of the fields', () => {
  expect(twilioSignature('12345', url, form)).toBe('0/KCTR6DLpKmkAf8muzZqo1nDgQ=');
  expect(twilioSignature('12345', url, new URLSearchParams([...form].toReversed()))).toBe(
    '0/KCTR6DLpKmkAf8muzZqo1nDgQ=',
  );
});

test('another token, address, field or signature is rejected', () => {
  const right = twilioSignature('12345', url, form);
  const changed = new URLSearchParams([...form, ['Body', 'STOP']]);
  expect(isSignedByTwilio('12345', url, form, right)).toBe(true);
  expect(isSignedByTwilio('12346', url, form, right)).toBe(false);
  expect(isSignedByTwilio('12345', `${url}3`, form, right)).toBe(false);
  expect(isSignedByTwilio('12345', url, changed, right)).toBe(false);
  for (const wrong of ['', 'x', `${right}=`, right.toLowerCase()])
    expect(isSignedByTwilio('12345', url, form, wrong)).toBe(false);
});
