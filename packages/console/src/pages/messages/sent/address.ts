/** Channels whose messages have their own page. */
export const sentChannels = ['email', 'sms', 'webhook', 'operator'] as const;

/** Returns the address of a message, below the brand; undefined for a message of another channel. Pure. */
export function sentMessageAddress(channel: string, messageId: number | string): string | undefined {
  return sentChannels.some((one) => one === channel) ? `messages/sent/${channel}-${messageId}` : undefined;
}
