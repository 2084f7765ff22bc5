import { campaignEditor, type EditorWords } from '../../../text/campaign-editor.ts';
import { useWords } from '../../../text/text.tsx';
import { useDurationWords } from '../../../ui/duration.ts';
import { useNames } from '../../../ui/named/use-names.ts';
import { isObject, kindIn, read, readList, readText } from '../draft/edits.ts';
import { namedIn } from './named-in.ts';

interface Saying {
  words: EditorWords;
  duration(text: string): string;
  /** Returns the name of a segment, or its code if it has no name. */
  segmentName(code: string): string;
  /** Returns the name of a template, or its code if it has no name. */
  templateName(code: string): string;
}

/** Returns one line that summarizes a step. It is shown after the name of the step's kind. Pure. */
export function summaryOf(step: unknown, saying: Saying): string {
  const { words, duration, templateName } = saying;
  const kind = kindIn(step);
  if (kind === undefined) return '';
  const of = (...names: string[]) => readText(step, [kind, ...names]);
  switch (kind) {
    case 'send':
      return `${channelName(words, of('channel'))}: ${templateName(of('template')) || words.sums.nothing}`;
    case 'wait':
      return waitSummary(read(step, ['wait']), saying);
    case 'branch':
    case 'split':
      return words.sums.arms(readList(step, [kind]).length);
    case 'credit':
      return of('bonus_code') || words.sums.nothing;
    case 'offer':
      return [of('bonus_code') || words.sums.nothing, of('expires_in') && duration(of('expires_in'))]
        .filter(Boolean)
        .join(', ');
    case 'credit_funds':
      return `${of('amount')} ${of('currency')}, ${of('bonus_code') || words.sums.nothing}`;
    case 'tag':
    case 'untag':
      return of() || words.sums.nothing;
    case 'webhook':
    case 'call_list':
      return templateName(of('template')) || words.sums.nothing;
    case 'exit':
      return of('reason');
    default:
      return kind satisfies never;
  }
}

function waitSummary(wait: unknown, { words, duration }: Saying): string {
  const of = (name: string) => readText(wait, [name]);
  if (of('for') !== '') return duration(of('for'));
  if (of('until') !== '') return `${words.until} ${of('until').replace('T', ' ')}`;
  const most = duration(of('timeout'));
  return of('event') === '' ? words.sums.rule(most) : words.sums.upTo(words.events[of('event')] ?? of('event'), most);
}

const channelName = ({ channels }: EditorWords, channel: string) =>
  (channels as Readonly<Record<string, string>>)[channel] ?? channel;

/** Returns one line that summarizes what starts a run. Pure. */
export function entrySummary(entry: unknown, { words, duration, segmentName }: Saying): string {
  if (!isObject(entry)) return words.sums.nothing;
  const segment = segmentName(readText(entry, ['segment']));
  if ('segment' in entry)
    return entry.on === 'left' ? words.sums.segmentLeft(segment) : words.sums.segmentEntered(segment);
  if ('api' in entry) return words.sums.byCall;
  if ('schedule' in entry) {
    const [every, at] = [readText(entry, ['schedule', 'every']), readText(entry, ['schedule', 'at'])];
    return every === '' ? at.replace('T', ' ') || words.sums.nothing : words.sums.scheduled(duration(every), at);
  }
  const event = readText(entry, ['event']);
  return words.events[event] ?? event;
}

/** Returns what the summaries of these steps or entries need. */
export function useSaying(...parts: readonly unknown[]): Saying {
  const naming = useNames(parts.flatMap(namedIn));
  return {
    words: useWords(campaignEditor),
    duration: useDurationWords(),
    segmentName: (segment) => naming({ segment }),
    templateName: (template) => naming({ template }),
  };
}
