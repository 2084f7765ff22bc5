import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { awaitAll, timestamptzText } from '../../../database/index.ts';
import type { FieldProblem, LookUp } from '../../judging/index.ts';

export interface LookUpProblems {
  player_id: number;
  look_up: LookUp;
  brand_id: number;
  at: Micros;
  problems: readonly FieldProblem[];
}

/** Maximum number of problems stored per player and look-up. An answer with more is wrong as a whole. */
const maxProblems = 50;

/** Replaces the stored problems with those of the newest answers. A problem that persists keeps its `since`. */
export async function replaceProblems(tx: ClientBase, answers: readonly LookUpProblems[]): Promise<void> {
  if (answers.length === 0) return;
  const listed = answers.flatMap(({ problems, at, ...answer }) =>
    problems.slice(0, maxProblems).map((problem) => ({ ...answer, ...problem, since: timestamptzText(at) })),
  );
  const dropping = tx.query({
    name: 'drop_gone_problems',
    text: `delete from sync_problem p
            using unnest($1::bigint[], $2::text[]) as a (player_id, look_up)
            where p.player_id = a.player_id and p.look_up = a.look_up
              and not exists (select from jsonb_to_recordset($3::jsonb) as l (player_id bigint, look_up text, path text)
                               where l.player_id = p.player_id and l.look_up = p.look_up and l.path = p.path)`,
    values: [
      answers.map((answer) => answer.player_id),
      answers.map((answer) => answer.look_up),
      JSON.stringify(listed.map(({ player_id, look_up, path }) => ({ player_id, look_up, path }))),
    ],
  });
  if (listed.length === 0) return void (await dropping);
  const listing = tx.query({
    name: 'list_problems',
    text: `insert into sync_problem (player_id, look_up, path, brand_id, reason, message, since)
           select distinct on (player_id, look_up, path) player_id, look_up, path, brand_id, reason, message, since
             from jsonb_to_recordset($1::jsonb) as l (
                    player_id bigint, look_up text, path text, brand_id int, reason text, message text, since timestamptz)
           on conflict (player_id, look_up, path) do update set reason = excluded.reason, message = excluded.message`,
    values: [JSON.stringify(listed)],
  });
  await awaitAll([dropping, listing]);
}
