import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { timestamptzText } from '../../../database/index.ts';

export interface ListedDraw {
  /** The version of the interface. Version 1 identifies a lottery by the name of its product and a draw by its time. */
  version: 1 | 2;
  lottery_id: string;
  draw_id: string;
  lottery_name: string | null;
  lottery_type: string | null;
  draw_date: Micros;
  /** Null until a settlement contains them. */
  numbers: number[] | null;
  special_numbers: number[] | null;
}

export interface DrawFilter {
  lottery_id?: string;
  version?: 1 | 2;
  /** Bounds of the draw's date, both inclusive. */
  from?: Micros;
  to?: Micros;
}

export type DrawPlace = Pick<ListedDraw, 'version' | 'lottery_id' | 'draw_id' | 'draw_date'>;

/** The draws of a brand, the latest first; `after` is the last one of the previous page. */
export async function listDraws(
  db: Pick<ClientBase, 'query'>,
  brandId: number,
  filter: DrawFilter,
  limit: number,
  after?: DrawPlace,
): Promise<ListedDraw[]> {
  const textOf = (at: Micros | undefined) => (at === undefined ? null : timestamptzText(at));
  const { rows } = await db.query<Omit<ListedDraw, 'special_numbers' | 'numbers'> & { numbers: string | null }>(
    `select version, lottery_id, draw_id, lottery_name, lottery_type, draw_date, numbers
     from draw
     where brand_id = $1
       and ($2::text is null or lottery_id = $2)
       and ($3::smallint is null or version = $3)
       and draw_date >= coalesce($4::timestamptz, '-infinity')
       and draw_date <= least($5::timestamptz, $6::timestamptz, 'infinity')
       and ($6::timestamptz is null or (draw_date, version, lottery_id, draw_id) < ($6, $7, $8, $9))
     order by draw_date desc, version desc, lottery_id desc, draw_id desc
     limit $10`,
    [
      brandId,
      filter.lottery_id ?? null,
      filter.version ?? null,
      textOf(filter.from),
      textOf(filter.to),
      textOf(after?.draw_date),
      after?.version ?? null,
      after?.lottery_id ?? null,
      after?.draw_id ?? null,
      limit,
    ],
  );
  return rows.map(({ numbers: text, ...row }) => {
    const [numbers, special_numbers] = text === null ? [null, null] : (JSON.parse(text) as [number[], number[]]);
    return { ...row, numbers, special_numbers };
  });
}
