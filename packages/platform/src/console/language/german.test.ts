import { type EventKind, eventKinds, messages } from '@croupier/contracts';
import { describe, expect, test } from 'vitest';
import { derivedEvent } from '../../../testing/derive/event.ts';
import { summaryOfEvent } from '../feed/summary.ts';
import { summaryTexts } from '../feed/summary-texts.ts';
import { alarmTexts } from '../overview/alarm-texts.ts';
import { noteTexts } from '../overview/note-texts.ts';

/** Returns a text. If it is made by a function, each argument is its position: "(0)", "(1)". */
const written = (text: unknown): unknown =>
  typeof text === 'function' ? text(...Array.from({ length: text.length }, (_, place) => `(${place})`)) : text;

describe.each([
  ['summaries of events', summaryTexts, ['casino']],
  ['alarms', alarmTexts, []],
  ['notes', noteTexts, ['steps', 'kinds', 'adviceOnConflicts', 'adviceOnOrphans']],
  ['steps', { en: noteTexts.en.steps, de: noteTexts.de.steps }, []],
  ['advice on conflicts', { en: noteTexts.en.adviceOnConflicts, de: noteTexts.de.adviceOnConflicts }, []],
  ['advice on orphans', { en: noteTexts.en.adviceOnOrphans, de: noteTexts.de.adviceOnOrphans }, []],
] as const)('%s', (_name, { en, de }, except) => {
  test('have every text in German, with the same values', () => {
    expect(Object.keys(de)).toEqual(Object.keys(en));
    for (const [key, text] of Object.entries(en)) {
      if ((except as readonly string[]).includes(key)) continue;
      const [english, german] = [written(text), written((de as Record<string, unknown>)[key])].map(String);
      expect(german, key).not.toBe(english);
      const places = (line = '') => [...new Set(line.match(/\(\d\)/g))].toSorted();
      expect(places(german), key).toEqual(places(english));
    }
  });
});

test('a summary of each kind of event has no English words in German', () => {
  const samples = (kind: EventKind) => Object.values<Record<string, unknown>>(messages[kind].samples);
  for (const kind of eventKinds) {
    // Skipped, because this summary contains the name of the event in the operator's language.
    if (kind === 'custom') continue;
    for (const sample of samples(kind)) {
      const line = summaryOfEvent(derivedEvent(kind, sample, { player_id: 1 }).event)('de');
      expect(line, kind).not.toMatch(/\b(of|for|by|with|the|bet|won|Deposit|Approved|Requested|reports)\b/);
    }
  }
});
