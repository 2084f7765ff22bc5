import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import type { Brand, Vault } from '../../brands/index.ts';
import { timestamptzText } from '../../database/index.ts';
import type { CallChannel } from '../calls/message.ts';
import { type ChannelSettings, splitSecrets } from './settings.ts';

/** All SQL statements on channel_settings. */
interface Row {
  brand_id: number;
  channel: CallChannel;
  settings: Record<string, unknown>;
  secrets: Buffer | null;
}

type Coded = Pick<Brand, 'brand_id' | 'code'>;

/** @throws {Unreadable} if the secrets were sealed with another CROUPIER_SECRET */
export async function readChannelSettings<C extends CallChannel>(
  db: Pool | ClientBase,
  vault: Pick<Vault, 'open'>,
  brand: Coded,
  channel: C,
): Promise<ChannelSettings[C] | null> {
  const { rows } = await db.query<Row>({
    name: 'read_channel_settings',
    text: 'select brand_id, channel, settings, secrets from channel_settings where brand_id = $1 and channel = $2',
    values: [brand.brand_id, channel],
  });
  const [row] = rows;
  if (row === undefined) return null;
  const secrets = row.secrets === null ? {} : (vault.open(brand.code, row.secrets) as object);
  return { ...row.settings, ...secrets } as ChannelSettings[C];
}

/** Settings without secrets of all brands and channels, which include the limits of calls. */
export async function readOpenSettings(
  pool: Pool,
): Promise<(Pick<Row, 'brand_id' | 'channel'> & { settings: ChannelSettings[CallChannel] })[]> {
  const { rows } = await pool.query({
    name: 'read_open_channel_settings',
    text: 'select brand_id, channel, settings from channel_settings',
  });
  return rows;
}

export interface ShownSettings {
  channel: CallChannel;
  settings: Record<string, unknown>;
  changed_at: Micros;
  changed_by: string;
}

/** The settings of all channels of a brand, without secrets. */
export async function listChannelSettings(pool: Pool, brandId: number): Promise<ShownSettings[]> {
  const { rows } = await pool.query<ShownSettings>(
    'select channel, settings, changed_at, changed_by from channel_settings where brand_id = $1 order by channel',
    [brandId],
  );
  return rows;
}

export async function writeChannelSettings<C extends CallChannel>(
  tx: ClientBase | Pool,
  vault: Pick<Vault, 'seal'>,
  brand: Coded,
  channel: C,
  settings: ChannelSettings[C],
  { at, by }: { at: Micros; by: string },
): Promise<void> {
  const { open, secrets } = splitSecrets(settings);
  await tx.query(
    `insert into channel_settings (brand_id, channel, settings, secrets, changed_at, changed_by) values ($1, $2, $3::jsonb, $4, $5, $6)
     on conflict (brand_id, channel) do update set settings = excluded.settings, secrets = excluded.secrets,
       changed_at = excluded.changed_at, changed_by = excluded.changed_by`,
    [
      brand.brand_id,
      channel,
      JSON.stringify(open),
      Object.keys(secrets).length > 0 ? vault.seal(brand.code, secrets) : null,
      timestamptzText(at),
      by,
    ],
  );
}

export async function deleteChannelSettings(
  tx: ClientBase | Pool,
  brandId: number,
  channel: CallChannel,
): Promise<boolean> {
  const { rowCount } = await tx.query('delete from channel_settings where brand_id = $1 and channel = $2', [
    brandId,
    channel,
  ]);
  return (rowCount ?? 0) > 0;
}

export interface ChannelHealth {
  /** The channel. Only channels that call a provider, and e-mail, have a stored health. */
  channel: string;
  target: string;
  circuit: 'closed' | 'paused' | 'open' | 'probing';
  last_error: string | null;
  last_error_at: Micros | null;
  last_success_at: Micros | null;
}

/** What the last worker that called a provider reported about it. */
export async function readChannelHealth(pool: Pool, brandId: number): Promise<ChannelHealth[]> {
  const { rows } = await pool.query<ChannelHealth>(
    `select channel, target, circuit, last_error, last_error_at, last_success_at from channel_health
      where brand_id = $1 order by channel, target limit 200`,
    [brandId],
  );
  return rows;
}

export async function noteChannelHealth(
  pool: Pool,
  { brand_id, channel, target }: { brand_id: number; channel: string; target: string },
  { circuit, error }: { circuit: ChannelHealth['circuit']; error: string | null },
  at: Micros,
): Promise<void> {
  await pool.query({
    name: 'note_channel_health',
    text: `insert into channel_health as h (brand_id, channel, target, circuit, last_error, last_error_at, last_success_at)
           values ($1, $2, $3, $4, $5, case when $5::text is not null then $6::timestamptz end,
                   case when $5::text is null then $6::timestamptz end)
           on conflict (brand_id, channel, target) do update set circuit = excluded.circuit,
             last_error = coalesce(excluded.last_error, h.last_error), last_error_at = coalesce(excluded.last_error_at, h.last_error_at),
             last_success_at = coalesce(excluded.last_success_at, h.last_success_at)`,
    values: [brand_id, channel, target, circuit, error, timestamptzText(at)],
  });
}
