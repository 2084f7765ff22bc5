import { expect, test } from 'vitest';
import { detailsOf, namedLink } from './named-link.ts';

test.each([
  ['campaign', 'welcome', 'campaigns/welcome'],
  ['campaign_id', 'welcome', 'campaigns/welcome'],
  ['segment', 'vip', 'segments/vip'],
  ['template', 'a b', 'messages/templates/a%20b'],
  ['run_id', '7', 'runs/7'],
  ['intent_id', '7', 'rewards/intents/7'],
])('the detail %s: %s is a link to %s', (field, value, to) => {
  expect(namedLink(field, value)?.to).toBe(to);
});

test('other details are not links', () => {
  expect(namedLink('reason', 'welcome')).toBeUndefined();
});

test('the code of a segment entry is shown as its segment', () => {
  expect(detailsOf({ type: 'segment', code: 'vip', transition: 'entered' })).toEqual({
    segment: 'vip',
    transition: 'entered',
  });
  expect(detailsOf({ type: 'tag', tag: 'vip' })).toEqual({ tag: 'vip' });
});
