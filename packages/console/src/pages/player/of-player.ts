/** The player whose tab it is. */
export interface OfPlayer {
  brand: string;
  userId: string;
}
