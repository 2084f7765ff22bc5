import type { CallResult } from '../calling/index.ts';
import { judgeBlocks } from './blocks.ts';
import { judgeConsents } from './consents.ts';
import { judgeDetails } from './details.ts';
import type { Asked, BlocksRecord, ConsentsRecord, DetailsRecord, Judgment, LookUp } from './judgment.ts';

/** A usable answer, of one of the three kinds. */
export type Found =
  | { look_up: 'details'; record: DetailsRecord }
  | { look_up: 'consents'; record: ConsentsRecord }
  | { look_up: 'blocks'; record: BlocksRecord };

/** Judges the answer to a look-up. Pure. */
export function judge(lookUp: LookUp, result: CallResult, asked: Asked): Judgment<Found> {
  switch (lookUp) {
    case 'details':
      return found(judgeDetails(result, asked), (record) => ({ look_up: 'details', record }));
    case 'consents':
      return found(judgeConsents(result, asked), (record) => ({ look_up: 'consents', record }));
    case 'blocks':
      return found(judgeBlocks(result, asked), (record) => ({ look_up: 'blocks', record }));
  }
}

function found<R>(judgment: Judgment<R>, wrap: (record: R) => Found): Judgment<Found> {
  return judgment.verdict === 'record' ? { ...judgment, record: wrap(judgment.record) } : judgment;
}
