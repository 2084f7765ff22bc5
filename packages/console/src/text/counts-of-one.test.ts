import { expect, test } from 'vitest';
import { bulk } from './bulk.ts';
import { campaignEditor } from './campaign-editor.ts';
import { campaignPage } from './campaign-page.ts';
import { campaignTrial } from './campaign-trial.ts';

test('counts of one player or run are singular', () => {
  const { en, de } = campaignEditor;
  expect([en.lack('1', 'hello'), de.lack('1', 'hello')]).toEqual([
    '1 player has no value for hello.',
    '1 Spieler hat keinen Wert für hello.',
  ]);
  expect([en.withheldIn('1', 'GB', 'wagering'), de.withheldIn('1', 'GB', 'wagering')]).toEqual([
    '1 player in GB does not get it: wagering.',
    '1 Spieler in GB erhält ihn nicht: wagering.',
  ]);
  expect([en.meetNow(1, '≈ 1'), de.meetNow(1, '≈ 1')]).toEqual([
    '≈ 1 player matches now',
    '≈ 1 Spieler erfüllt die Regel jetzt',
  ]);
  expect([en.left('1'), de.left('1')]).toEqual([
    '1 more matches but is excluded or blocked',
    '1 weiterer erfüllt sie, ist aber ausgeschlossen oder gesperrt',
  ]);
  expect([campaignTrial.en.skipped('1'), campaignTrial.de.skipped('1')]).toEqual([
    '1 player was skipped because of too many events.',
    '1 Spieler hat zu viele Ereignisse und wurde ausgelassen.',
  ]);
  expect([campaignPage.en.inFlight('1'), campaignPage.de.inFlight('1')]).toEqual([
    '1 active run',
    '1 laufender Durchgang',
  ]);
  expect([bulk.en.order.mostOf('5 EUR', '1', true), bulk.de.order.mostOf('5 EUR', '1', true)]).toEqual([
    '5 EUR for 1 player',
    '5 EUR für 1 Spieler',
  ]);
});

test('other counts are plural', () => {
  expect(campaignEditor.en.lack('0', 'hello')).toBe('0 players have no value for hello.');
  expect(campaignEditor.de.meetNow(21, '21')).toBe('21 Spieler erfüllen die Regel jetzt');
  expect(campaignPage.en.inFlight('11')).toBe('11 active runs');
  expect(bulk.en.order.mostOf('15 EUR', '3', false)).toBe('15 EUR for 3 players');
});
