import { expect, test } from 'vitest';
import { userIdsOf } from './user-ids.ts';

test('ids are read one per line or from the first column of a CSV file', () => {
  expect(userIdsOf('ann\n bob \n\nann\r\n')).toEqual(['ann', 'bob']);
  expect(userIdsOf('user_id,since\r\nann,2026-05-04\r\n"b,""ob",x')).toEqual(['ann', 'b,"ob']);
  expect(userIdsOf('\uFEFFUSER_ID;x\nann;1')).toEqual(['ann']);
  expect(userIdsOf('')).toEqual([]);
});
