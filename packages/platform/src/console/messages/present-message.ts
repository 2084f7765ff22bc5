import { exactObject, type ListedNotification, type Recall } from '../../channels/index.ts';
import { momentText, momentTextOrNull } from '../routing/fields.ts';

const said = [
  'title',
  'message',
  'preview_text',
  'footer_text',
  'cta_button_link',
  'cta_button_text',
  'cta_button2_link',
  'cta_button2_text',
  'image_url',
] as const;

type Said = Record<(typeof said)[number], string | null>;

/** @param unmasked whether the caller may see personal data. Messages contain it, for example "Dear Ann" */
export function presentMessage(row: ListedNotification, unmasked: boolean) {
  const content = Object.fromEntries(said.map((name) => [name, unmasked ? row[name] : null])) as Said;
  const { expires_at, brand_id: _, player_id: __, data, ...rest } = row;
  return {
    ...rest,
    ...content,
    data: unmasked ? exactObject(data) : null,
    is_read: row.read_at !== null,
    expires: momentTextOrNull(expires_at),
    created_at: momentText(row.created_at),
    state_since: momentText(row.state_since),
    live_at: momentTextOrNull(row.live_at),
    shown_at: momentTextOrNull(row.shown_at),
    read_at: momentTextOrNull(row.read_at),
    clicked_at: momentTextOrNull(row.clicked_at),
    closed_at: momentTextOrNull(row.closed_at),
    deleted_at: momentTextOrNull(row.deleted_at),
    due_at: momentTextOrNull(row.due_at),
  };
}

export function presentRecall({ up_to: _, phase, position: __, brand_id: ___, ...recall }: Recall) {
  return {
    ...recall,
    state: phase === 'done' ? ('done' as const) : ('running' as const),
    requested_at: momentText(recall.requested_at),
    finished_at: momentTextOrNull(recall.finished_at),
  };
}
