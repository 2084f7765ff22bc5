import type { Campaign, Step } from './document.ts';
import { offersBefore } from './offers.ts';

/** A variable that is always empty in a message: no run of the campaign has it at this step. */
export interface AbsentVariable {
  /** JSON path in the document: /steps/0/send/template. */
  path: string;
  step: string;
  template: string;
  variable: string;
  message: string;
}

export interface VariablesKnown {
  /** The variables that a template inserts without a default. */
  neededBy(template: string): readonly string[];
  /** The fields of an event; undefined if any field may exist. */
  fieldsOf(event: string): ReadonlySet<string> | undefined;
}

/** The fields of `offer`, which is the last bonus that the run gave. */
export const offerFields = ['intent_id', 'step', 'kind', 'bonus_code', 'amount', 'currency', 'expires_at', 'wagering'];

/**
 * Finds variables of the event and the offer that are always empty in a message, because the event of the entry does not have the field, or
 * because no step before the message gives an offer. Pure.
 */
export function absentVariables(campaign: Campaign, known: VariablesKnown): AbsentVariable[] {
  return messagesIn(campaign.steps, '/steps').flatMap(({ path, step, template }) =>
    known.neededBy(template).flatMap((variable) => {
      const message = whyAbsent(campaign, step, variable, known);
      return message === null ? [] : [{ path, step, template, variable, message }];
    }),
  );
}

function whyAbsent(campaign: Campaign, step: string, variable: string, known: VariablesKnown): string | null {
  const [root = '', field] = variable.split(/[.[]/);
  if (field === undefined) return null;
  if (root === 'event') return whyNotInEvent(campaign, variable, field, known);
  if (root !== 'offer') return null;
  if (offersBefore(campaign, step).length === 0)
    return `${variable} is empty: no step before ${step} is a credit or an offer`;
  return offerFields.includes(field) ? null : `${variable} is empty: an offer has ${offerFields.join(', ')}`;
}

function whyNotInEvent({ entry }: Campaign, variable: string, field: string, known: VariablesKnown): string | null {
  if ('api' in entry) return null;
  if (!('event' in entry)) return `${variable} is empty: the campaign does not start with an event`;
  const fields = known.fieldsOf(entry.event);
  return fields === undefined || fields.has(field) ? null : `${variable} is empty: ${entry.event} has no ${field}`;
}

function messagesIn(steps: readonly Step[], path: string): { path: string; step: string; template: string }[] {
  return steps.flatMap((step, place) => {
    const at = `${path}/${place}`;
    const { id } = step;
    if ('send' in step) return [{ path: `${at}/send/template`, step: id, template: step.send.template }];
    if ('webhook' in step) return [{ path: `${at}/webhook/template`, step: id, template: step.webhook.template }];
    if ('call_list' in step) return [{ path: `${at}/call_list/template`, step: id, template: step.call_list.template }];
    if ('branch' in step)
      return step.branch.flatMap((arm, nth) =>
        'when' in arm
          ? messagesIn(arm.steps, `${at}/branch/${nth}/steps`)
          : messagesIn(arm.otherwise, `${at}/branch/${nth}/otherwise`),
      );
    if ('split' in step)
      return step.split.flatMap((arm, nth) => messagesIn(arm.steps ?? [], `${at}/split/${nth}/steps`));
    return [];
  });
}
