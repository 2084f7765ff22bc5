import type { Micros } from '@croupier/contracts';
import type { TimelineEntry, TimelineLine } from './timeline.ts';

/** The timeline of a scenario as text: one line for each input (>) and each result. */
export function describeTimeline(lines: readonly TimelineLine[]): string {
  return lines.map(describeLine).join('\n');
}

function describeLine(line: TimelineLine): string {
  if (line.kind === 'given') return `  ${moment(line.at)} > ${line.text}`;
  if (line.kind === 'failed') return `  ${moment(line.at)} ! ${line.text}`;
  return `  ${moment(line.entry.at)}   ${describeEntry(line.entry)}`;
}

export function describeEntry(entry: TimelineEntry): string {
  const {
    campaign,
    version,
    step,
    outcome,
    reason,
    variant,
    channel,
    template,
    bonus_code,
    until,
    rendered,
    sentence,
  } = entry;
  const details = [
    outcome === 'entered' || outcome === 'moved' ? `version ${version}` : null,
    channel,
    template,
    bonus_code,
    variant,
    reason,
    sentence ?? null,
    until === null ? null : `until ${moment(until)}`,
    rendered === null ? null : `"${rendered.length > longestText ? `${rendered.slice(0, longestText)}...` : rendered}"`,
  ].filter((one) => one !== null);
  const head = [campaign, step, outcome].filter((one) => one !== null).join(' ');
  return details.length === 0 ? head : `${head} (${details.join(', ')})`;
}

const longestText = 120;

/** 2026-05-04T12:00:00Z */
export function moment(at: Micros): string {
  return new Date(at / 1000).toISOString().replace('.000Z', 'Z');
}
