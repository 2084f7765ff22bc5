import type { Brand } from '../../brands/index.ts';

/**
 * Whether templates may be sent to this player as a test: the player is one of the brand's test players, or its test user.
 * Pure.
 */
export function isTestPlayer({ settings, test_user }: Pick<Brand, 'settings' | 'test_user'>, userId: string): boolean {
  return settings.test_players.includes(userId) || test_user?.user_id === userId;
}
