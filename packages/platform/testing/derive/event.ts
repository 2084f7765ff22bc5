import { type EventKind, readEvent } from '@croupier/contracts';
import Value from 'typebox/value';
import { type BrandSettings, brandSettingsSchema } from '../../src/brands/index.ts';
import type { DerivedEvent } from '../../src/derive/event.ts';

/** A brand's settings with all defaults, for tests of pure decisions. */
export function testSettings(overrides: Partial<BrandSettings> = {}): BrandSettings {
  return { ...(Value.Default(brandSettingsSchema, {}) as BrandSettings), ...overrides };
}

/** A body as an operator sends it, read as derive does: for tests of pure decisions, without a database. */
export function derivedEvent<K extends EventKind>(
  kind: K,
  body: Record<string, unknown>,
  of: { player_id: number; brand_id?: number; settings?: BrandSettings },
): DerivedEvent<K> {
  const { player_id, brand_id = 1, settings = testSettings() } = of;
  const received_at = Date.UTC(2026, 4, 1) * 1000;
  const { zoneless_timestamps, base_currency } = settings;
  const reading = readEvent(kind, body, { now: received_at, zoneless_timestamps, base_currency, trusted: true });
  if (!reading.ok) throw new Error(JSON.stringify(reading.errors));
  const position = { writer_id: 1, seq: 1, index: 0 };
  return {
    brand_id,
    player_id,
    body,
    settings,
    received_at,
    position,
    event: reading.event,
    flags: reading.flags,
  };
}
