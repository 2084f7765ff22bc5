import { cells, ofPlayer, retained, rows, type TableEntry } from './table.ts';

/** Messages to players on the site: their number, campaign and outcome stay; their content is deleted. */
export const channelTables: readonly TableEntry[] = [
  // Signals are not deleted, because the last one ends the player's open sockets.
  retained(
    'public.site_signal',
    'numbers, deleted after 15 minutes',
    'number signal_id brand_id player_id kind message_id written_at written_by',
    ofPlayer,
  ),
  rows('public.site_session_end'),
  // Ids that pages gave their events; the content of the events is in the ledger.
  rows('public.site_tracked'),
  cells(
    'public.notification',
    `title = '', message = '', preview_text = '', footer_text = '', data = '{}', cta_button_link = '', cta_button_text = '',
     cta_button2_link = '', cta_button2_text = '', image_url = ''`,
    `message_id brand_id player_id channel purpose event display_type title message preview_text footer_text data cta_button_link
     cta_button_text cta_button2_link cta_button2_text image_url campaign_id created_at created_by expires_at state reason state_since
     decision_id live_at shown_at read_at clicked_at closed_at ended_by due_at shelf`,
  ),
  rows('public.notification_request'),
  rows('public.notification_withdrawal'),
  retained(
    'public.notification_recall',
    'the name of a campaign, and counts',
    'recall_id brand_id campaign_id up_to phase position withdrawn dropped requested_at requested_by finished_at',
  ),
  cells(
    'public.email_message',
    `subject = '', html = '', plain = '', detail = null, address_key = null, request_key = null, request_digest = null`,
    `message_id brand_id player_id purpose campaign_id template_code version_of_template language subject html plain created_at created_by
     request_key request_digest expires_at state reason status detail attempts tries decision_id due_at claim address_key sent_at ended_at ended_by`,
  ),
  retained(
    'public.address_suppression',
    'keyed hashes of addresses and mobile numbers: after an erasure, addresses that bounced or complained still get no message',
    'brand_id address_key reason detail added_at added_by',
  ),
  cells(
    'public.called_message',
    `content = '{}', detail = null, address_key = null, request_key = null, request_digest = null`,
    `message_id brand_id player_id channel target purpose campaign_id template_code version_of_template language content parts created_at
     created_by request_key request_digest expires_at state reason status detail provider_id attempts tries repeatable unclear decision_id
     due_at claim address_key sent_at ended_at ended_by`,
  ),
  // Providers' reports about the player's messages; the ledger contains the same.
  rows('public.message_report'),
  retained(
    'public.report_tally',
    'counts over all players of a brand',
    'brand_id channel provider outcome day reports last_at',
  ),
  cells(
    'public.list_entry',
    `note = '', outcome_note = null, request_key = null, request_digest = null`,
    `message_id brand_id player_id channel list purpose campaign_id template_code version_of_template language note created_at created_by
     request_key request_digest expires_at state reason decision_id exported_at exported_by outcome_note ended_at ended_by`,
  ),
  retained('public.channel_settings', 'settings of a brand', 'brand_id channel settings secrets changed_at changed_by'),
  retained(
    'public.channel_health',
    'the state of providers',
    'brand_id channel target circuit last_error last_error_at last_success_at',
  ),
  retained(
    'public.template',
    'texts of a brand, written by staff',
    'template_id brand_id code channel version created_at deleted_at',
  ),
  retained(
    'public.template_version',
    'texts of a brand, written by staff',
    'template_id version name purpose content created_at created_by',
  ),
  retained(
    'public.media_file',
    'pictures of a brand, uploaded by staff',
    'brand_id digest name type width height bytes content created_at created_by',
  ),
  retained('public.push_key', 'keys of a brand', 'key_id brand_id public_key sealed created_at replaced_at revoked_at'),
  rows('public.push_subscription'),
  // Pushes that announced messages; the number of messages stays in the message table.
  rows('public.push_delivery'),
];
