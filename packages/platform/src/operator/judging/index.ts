/** Public exports of judging, a part of the operator stage; see ../README.md. */
export { judgeStatus } from './answer.ts';
export { profileFields } from './details.ts';
export { type Found, judge } from './judge.ts';
export {
  type BlocksRecord,
  type ConsentsRecord,
  type DetailsRecord,
  type FieldProblem,
  type JudgedBlock,
  type JudgedConsent,
  type LookUp,
  type LookUpFailure,
  lookUps,
  type ProfileField,
  type ProfileFields,
} from './judgment.ts';
export { signOfFailure } from './sign-of-failure.ts';
