/** Public interface of sealing; see README.md. */
export { type ChainHead, hashBytes, type Link, leafHash, leavesOf, nextLink, noSeal, sealTextHash } from './link.ts';
export { type ProofStep, proofOf } from './merkle.ts';
export {
  type SealedRecord,
  type WalkFinding,
  type WalkKind,
  type WalkOptions,
  type WalkReport,
  walkChain,
} from './walk.ts';
