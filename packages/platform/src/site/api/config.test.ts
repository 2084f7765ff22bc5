import { expect, test } from 'vitest';
import { siteConfig } from './config.ts';

test.each([
  ['https://crm.example', 'crm.example', 443, true],
  ['https://crm.example:8443', 'crm.example', 8443, true],
  ['http://localhost:8080', 'localhost', 8080, false],
  ['http://crm.example', 'crm.example', 80, false],
  ['https://example.com/crm', 'example.com', 443, true],
  ['http://[::1]:8080', '[::1]', 8080, false],
])('%s', (publicUrl, wsHost, wsPort, forceTLS) => {
  expect(siteConfig(publicUrl, 'demo')).toMatchObject({ crmUrl: `${publicUrl}/site/demo`, wsHost, wsPort, forceTLS });
});
