import type { BrandSettings } from '../../../brands/index.ts';
import { sampleCode } from '../../short-codes.ts';
import { isOwnLink, mayTrack, type TrackedPlayer, tracked } from '../../tracking/index.ts';
import { longestSms } from '../content.ts';

export interface SmsTracking {
  settings: Pick<BrandSettings, 'message_tracking'>;
  /** The public address of the installation, without a trailing slash: tracked links begin with it. */
  publicUrl: string;
  /** Null if no player is chosen: then tracking is not forbidden. */
  player: TrackedPlayer | null;
  /** The code of the link at that position, counted from 1. Default: a sample of the same length, which leads nowhere. */
  code?: (place: number) => string;
}

/**
 * The text of an SMS as it is sent: with tracked links, if they are switched on. The links stay as they are if the text would be
 * too long with tracked ones. Pure.
 */
export function sentSms(
  text: string,
  { settings: { message_tracking }, publicUrl, player, code = () => sampleCode }: SmsTracking,
): string {
  const { clicks } =
    player === null ? { clicks: message_tracking.sms_clicks } : mayTrack(message_tracking, 'sms', player);
  if (!clicks) return text;
  const { plain } = tracked(
    { html: '', plain: text },
    {
      clickUrl: (place) => `${publicUrl}/t/${code(place)}`,
      openUrl: null,
      isOwn: isOwnLink(publicUrl),
    },
  );
  return plain.length > longestSms ? text : plain;
}
