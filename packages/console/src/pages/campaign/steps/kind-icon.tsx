import {
  IconArrowsSplit2,
  IconCash,
  IconClock,
  IconDoorExit,
  IconGift,
  IconGitBranch,
  IconPhone,
  IconSend,
  IconTag,
  IconTagOff,
  IconTicket,
  IconWebhook,
} from '@tabler/icons-react';
import type { Kind } from '../draft/edits.ts';

const icons: Readonly<Record<Kind, typeof IconSend>> = {
  send: IconSend,
  wait: IconClock,
  branch: IconGitBranch,
  split: IconArrowsSplit2,
  credit: IconGift,
  credit_funds: IconCash,
  offer: IconTicket,
  tag: IconTag,
  untag: IconTagOff,
  webhook: IconWebhook,
  call_list: IconPhone,
  exit: IconDoorExit,
};

export function KindIcon({ kind, size = 16 }: { kind: Kind; size?: number }) {
  const Icon = icons[kind];
  return <Icon size={size} aria-hidden style={{ flexShrink: 0 }} />;
}
