import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * Selects the arm of a player. For each arm, it computes a number from a hash of the player and the arm's name; a larger share makes
 * smaller numbers more likely. The arm with the smallest number is selected (weighted rendezvous hashing). So each arm gets its share of
 * the players, and the hashes of a player never change.
 *
 * So when shares change, a player only moves to an arm that grew relative to the player's own arm. A growing arm
 * loses no players to arms that grew less. No player moves between two arms with an unchanged ratio. In contrast,
 * if each arm were a range of one hash, a change of one arm would shift all later ranges, and move players in each
 * of them. The order of the arms does not matter, but their names do.
 *
 * @param seed campaign, player and step
 */
export function armOf<Arm extends { name: string; share: number }>(
  arms: readonly Arm[],
  seed: string,
): Arm | undefined {
  let chosen: Arm | undefined;
  let smallest = Number.POSITIVE_INFINITY;
  for (const arm of arms) {
    const drawn = arm.share > 0 ? -Math.log(fraction(`${seed} ${arm.name}`)) / arm.share : Number.POSITIVE_INFINITY;
    if (drawn >= smallest) continue;
    chosen = arm;
    smallest = drawn;
  }
  return chosen;
}

/** Above 0 and at most 1, uniform over all seeds. */
function fraction(seed: string): number {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = sha256(utf8ToBytes(seed));
  const high = ((a << 16) | (b << 8) | c) >>> 0;
  const low = ((d << 16) | (e << 8) | f) >>> 0;
  return (high * 2 ** 24 + low + 1) / 2 ** 48;
}
