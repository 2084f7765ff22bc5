import { type Schedule, scheduledBetween } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { Phase } from '../documents/active-store.ts';

/*
 * Decides which times of a schedule have come, and what happens at each.
 *
 *   its time comes --> running ---- every player was checked ------> done
 *        |                |-------- the campaign is stopped -------> stopped
 *        |                '-------- its rule cannot be read -------> failed
 *        |--- the campaign is paused ----------------> skipped (paused)
 *        '--- longer ago than `catchUp` -------------> skipped (missed)
 */
export const startStates = ['running', 'done', 'skipped', 'stopped', 'failed'] as const;
export type StartState = (typeof startStates)[number];

/**
 * If no worker ran at the time of a start, the start happens up to this much later. After that, it is skipped, because a message for
 * the morning should not be sent in the evening. Three hours are longer than a restart or a move to another server, and shorter
 * than half a day.
 */
export const catchUp: Micros = 3 * 3_600_000_000;
/** Missed starts are recorded only if their time is at most this long ago. */
export const listedBack: Micros = 31 * 86_400_000_000;

/** A start is listed for this long after its time. */
export const keptFor: Micros = 400 * 86_400_000_000;

/** A time of a schedule, for the zones in which it occurs at the same instant. */
export interface DueStart {
  /** The local clock time, which identifies the cause of the runs. */
  local: string;
  due_at: Micros;
}

/**
 * The starts due after `after` and up to `until`. With the players' zones, one local time has a start for each instant at which
 * it occurs.
 */
export function startsBetween(
  schedule: Schedule,
  after: Micros,
  until: Micros,
  zones: { brand: string; players: Iterable<string> },
): DueStart[] {
  const starts = new Map<string, DueStart>();
  for (const zone of schedule.zone === 'player' ? zones.players : [zones.brand])
    for (const { local, at } of scheduledBetween(schedule, after, until, zone))
      starts.set(`${local} ${at}`, { local, due_at: at });
  return [...starts.values()].sort((a, b) => a.due_at - b.due_at);
}

/** The initial state of a start. */
export function stateWhenFound(
  { due_at }: DueStart,
  { at, phase }: { at: Micros; phase: Phase },
): { state: StartState; reason: string | null } {
  if (at - due_at > catchUp) return { state: 'skipped', reason: 'missed' };
  if (phase === 'paused') return { state: 'skipped', reason: 'paused' };
  return { state: 'running', reason: null };
}

/** Every zone that a player can have. */
export function zonesOf(settings: {
  time_zone: string;
  country_time_zones: Readonly<Record<string, string>>;
}): string[] {
  const { time_zone, country_time_zones } = settings;
  return [...new Set([...Intl.supportedValuesOf('timeZone'), time_zone, ...Object.values(country_time_zones)])];
}
