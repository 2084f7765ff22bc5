/**
 * Returns the part of an address that selects a message on the player's page. Messages of the site and pushes are in the
 * first list, and messages of other channels in the second one. Pure.
 */
export const messageRow = (channel: string, messageId: number | string): Record<string, string> =>
  channel === 'site' || channel === 'push'
    ? { row: String(messageId) }
    : { 'elsewhere.row': `${channel} ${messageId}` };
