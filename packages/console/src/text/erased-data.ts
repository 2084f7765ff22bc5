/**
 * Labels of the data that an erasure deletes or empties, as [English, German], with the tables that they name. A table has the label
 * of the first pattern that matches its name without its schema. A test requires one for each table of an erasure.
 */
const labels: readonly (readonly [tables: RegExp, en: string, de: string])[] = [
  [/^ledger\.events$/, 'Events as the operator sent them', 'Ereignisse, wie der Betreiber sie gesendet hat'],
  [/^ledger\.(?:blocks|packs)$/, 'Rewritten parts of the ledger', 'Neu geschriebene Teile des Ereignisbuchs'],
  [
    /^ledger\.unreadable$/,
    'Damaged parts of the ledger, which could not be searched',
    'Beschädigte Teile des Ereignisbuchs, die nicht durchsucht werden konnten',
  ],
  [/^quarantine\.redacted$/, 'Mentions in events of other players', 'Nennungen in Ereignissen anderer Spieler'],
  [/^(?:quarantine|parked_event|late_event)$/, 'Events that waited', 'Wartende Ereignisse'],
  [/^(?:journal|player_activity)$/, 'Activity', 'Aktivität'],
  [/^(?:rebuild|rebuild_difference|new_player)$/, 'Working data of rebuilds', 'Arbeitsdaten von Neuberechnungen'],
  [/^registration/, 'Registrations', 'Registrierungen'],
  [/^login/, 'Logins', 'Anmeldungen'],
  [/^(?:payment|refused_deposit)/, 'Payments', 'Zahlungen'],
  [/^bonus_(?:intent|attempt|resolution)/, 'Bonuses that Croupier ordered', 'Gutschriften von Croupier'],
  [/^bonus/, 'Bonuses at the operator', 'Boni beim Betreiber'],
  [/^cart/, 'Carts', 'Warenkörbe'],
  [/^balance/, 'Balances', 'Guthaben'],
  [/^custom_/, 'Custom events', 'Eigene Ereignisse'],
  [/^site_event/, 'Events of the site', 'Website-Ereignisse'],
  [/^message_/, 'Reports about messages', 'Rückmeldungen zu Nachrichten'],
  [/^(?:casino|round|session$)/, 'Casino rounds and sessions', 'Casino-Runden und Sitzungen'],
  [/^(?:sports|bet$)/, 'Sports bets', 'Sportwetten'],
  [/^lottery/, 'Lottery tickets', 'Lotteriescheine'],
  [/^funds/, 'Credited funds', 'Gutgeschriebenes Geld'],
  [/^player_profile$/, 'Personal details', 'Persönliche Daten'],
  [/^player_consent$|^unsubscription$/, 'Consents', 'Einwilligungen'],
  [
    /^(?:player_block|player_protection|pending_protection|protection_)/,
    'Exclusions and blocks',
    'Ausschlüsse und Sperren',
  ],
  [/^(?:player_sync|sync_problem|record_change|resync_)/, 'Look-ups at the operator', 'Abfragen beim Betreiber'],
  [/^write_back/, 'Changes sent to the operator', 'Änderungen an den Betreiber'],
  [/^operator_endpoint$/, 'Errors of calls to the operator', 'Fehler von Aufrufen beim Betreiber'],
  [/^segmentation_key$/, 'Samples of segmentation keys', 'Beispielwerte von Segmentierungsschlüsseln'],
  [/^reconciliation/, 'Data of reconciliations', 'Daten von Abgleichen'],
  [/^gate_hold$/, 'Contacts on hold', 'Zurückgestellte Kontakte'],
  [/^(?:notification|site_session_end|site_tracked)/, 'Messages on the site', 'Nachrichten auf der Website'],
  [/^email_message$/, 'E-mails', 'E-Mails'],
  [/^called_message$/, 'Messages of other channels', 'Nachrichten anderer Kanäle'],
  [/^list_entry$/, 'Entries of telephone and post', 'Einträge für Telefon und Post'],
  [/^push_/, 'Devices and pushes', 'Geräte und Push-Nachrichten'],
  [/^segment_/, 'Memberships of segments', 'Zugehörigkeit zu Segmenten'],
  [/^player_tag/, 'Tags', 'Schlagwörter'],
  [/^campaign_/, 'Runs of campaigns', 'Durchgänge von Kampagnen'],
  [/^bulk_player$/, 'Bulk actions', 'Sammelaktionen'],
];

/** The label of a name in the counts of an erasure, such as `live.payment`. Undefined if it has none. */
export function erasedDataName(name: string, language: 'en' | 'de'): string | undefined {
  const table = name.replace(/^(?:public|live|baseline)\./, '');
  const found = labels.find(([tables]) => tables.test(table));
  return found?.[language === 'de' ? 2 : 1];
}

/** How many records an erasure deleted or emptied. Parts of the ledger are not records. Pure. */
export function erasedRecords(counts: Readonly<Record<string, number>>): number {
  const records = Object.entries(counts).filter(([name]) => !/^ledger\.(?!events$)/.test(name));
  return records.reduce((total, [, count]) => total + count, 0);
}
