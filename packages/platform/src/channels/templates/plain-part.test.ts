import { expect, test } from 'vitest';
import { plainPart } from './plain-part.ts';

test.each([
  [
    '<p>Play <a class="x" href="https://a.example/">here</a> now</p><p>Bye</p>',
    'Play here (https://a.example/) now\nBye',
  ],
  ['<a href="https://a.example/">https://a.example/</a>', 'https://a.example/'],
  ['<mj-head><mj-preview>Ten spins</mj-preview></mj-head><mj-text>Hello</mj-text>', 'Hello'],
  ['<mj-button href="https://a.example/">Claim</mj-button><mj-text>Bye</mj-text>', 'Claim (https://a.example/)\nBye'],
  ['<a href="https://a.example/"><img src="x" alt="Our logo"></a>', 'Our logo (https://a.example/)'],
  ['<ul><li>one</li><li>two</li></ul>', '- one\n- two'],
  ['<a href="https://a.example/">never closed', 'never closed'],
])('the plain part of %s', (markup, plain) => {
  expect(plainPart(markup)).toBe(plain);
});

test.each([
  '<mj-head ',
  '<mj-head>',
  '<a href="x">',
  '<a href="',
  '<a ',
  '<img alt="',
  '<br ',
  '<li ',
  '</a ',
  '<mj-button href="x">',
])('thousands of %s, with and without closing tags, take linear time', (part) => {
  const started = performance.now();
  for (const end of ['', '</a>', '</mj-head>', '</mj-button>']) plainPart(part.repeat(30_000) + end);
  expect(performance.now() - started).toBeLessThan(8_000);
});
