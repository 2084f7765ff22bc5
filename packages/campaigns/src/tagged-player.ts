import type { PlayerView } from '@croupier/rules';
import type { Effect } from './run.ts';

/**
 * The player as later steps of the run see it: with the tags that its earlier steps set or removed. The view of a player is read once,
 * before the run moves, so it lacks them. Segments that depend on a tag follow later, because they are computed after the commit.
 */
export function afterTags(player: PlayerView, effects: readonly Effect[]): PlayerView {
  const tags = new Map<string, boolean>();
  for (const effect of effects)
    if (effect.kind === 'tag' || effect.kind === 'untag') tags.set(`tag.${effect.tag}`, effect.kind === 'tag');
  if (tags.size === 0) return player;
  return {
    value: (field, at) => tags.get(field) ?? player.value(field, at),
    changesAfter: (field, at) => (tags.has(field) ? undefined : player.changesAfter(field, at)),
    facts: (kind) => player.facts(kind),
  };
}
