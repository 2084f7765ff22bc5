/**
 * Labels of settings of a brand that its form does not show, and of the groups of its settings, as [English, German]. A test
 * requires that every setting has a label here, in the form or in `dataNames`.
 */
export const settingNames: Readonly<Record<string, readonly [en: string, de: string]>> = {
  campaign_approval: ['Approval of campaigns', 'Freigabe von Kampagnen'],
  'campaign_approval.money': ['Approval from this cost of bonuses', 'Freigabe ab diesen Kosten von Boni'],
  'campaign_approval.players': ['Approval from this number of players', 'Freigabe ab dieser Zahl von Spielern'],
  frequency_caps: ['Frequency caps', 'Häufigkeitsgrenzen'],
  'frequency_caps.times': ['Messages', 'Nachrichten'],
  'frequency_caps.within': ['Within', 'Innerhalb von'],
  holdout: ['Control group of the brand', 'Kontrollgruppe der Marke'],
  'holdout.percent': ['Percent of players', 'Prozent der Spieler'],
  media: ['Media library', 'Mediathek'],
  message_tracking: ['Tracking of messages', 'Messung von Nachrichten'],
  push: ['Push', 'Push'],
  quiet_hours: ['Quiet hours', 'Ruhezeiten'],
  reconciliation: ['Reconciliation', 'Abgleich'],
  site_functions: ['Functions of the page', 'Funktionen der Seite'],
  site_script: ['Site script', 'Website-Skript'],
};

/**
 * Returns the label of a setting by its path below `settings`, for example `frequency_caps`, `1`, `times`. Positions in
 * lists are ignored. Pure.
 */
export function settingLabel(
  path: readonly string[],
  fields: Readonly<Record<string, readonly [label: string, hint?: string]>>,
  language: 'en' | 'de',
): string | undefined {
  const names = path.filter((name) => !/^\d+$/.test(name));
  const whole = names.join('.');
  return fields[whole]?.[0] ?? settingNames[whole]?.[language === 'de' ? 1 : 0] ?? fields[names.at(-1) ?? '']?.[0];
}
