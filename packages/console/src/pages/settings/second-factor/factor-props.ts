import type { useProof } from '../../../ui/proof.tsx';

/** What every way to add or remove a second factor needs. */
export interface FactorProps {
  prove: ReturnType<typeof useProof>['prove'];
  /** Key below which all queries are read again afterwards. */
  touches: readonly unknown[];
  /** @param codes the recovery codes that came with the first factor; empty for a further factor */
  onAdded(codes: readonly string[]): void;
}
