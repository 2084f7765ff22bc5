import { expect, test } from 'vitest';
import { meansStop } from './stop-words.ts';

test.each([
  'STOP',
  ' stop. ',
  'Stop!',
  '“STOP”',
  'stop sending me this',
  'STOP ALL',
  'Opt-out',
  'unsubscribe me',
  'ＳＴＯＰ',
  'Stopp',
  'Kündigen',
  'KU\u0308NDIGEN',
  'ARRET',
  'arrêt',
  'Désabonner',
  'ΔΙΑΚΟΠΗ',
  'στοπ',
  'Lopeta',
  'waqqaf',
  'Abmelden bitte',
  'Basta messaggi',
  'avsluta tack',
  'please stop',
  'Bitte alle SMS abbestellen',
  'please opt out',
  'Opt out, thanks',
])('%s asks for no more messages', (reply) => {
  expect(meansStop(reply)).toBe(true);
});

test.each([
  '',
  '   ',
  '👍',
  'START',
  'yes',
  'ok',
  "don't stop",
  'when does it end?',
  'nonstop',
  'the end of the month',
  'stopwatch',
  'bitte nicht abmelden',
  'I will write to you before I cancel',
  'Basta con le domande, vorrei giocare',
  'muy alto',
])('%s does not', (reply) => {
  expect(meansStop(reply)).toBe(false);
});
