/** The player to whom a tab belongs. */
export interface OfPlayer {
  brand: string;
  userId: string;
}
