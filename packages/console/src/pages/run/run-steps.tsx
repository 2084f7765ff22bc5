import { Text } from '@mantine/core';
import { campaignEditor } from '../../text/campaign-editor.ts';
import { campaignPage } from '../../text/campaign-page.ts';
import { runPage } from '../../text/run-page.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useCode } from '../../text/use-code.ts';
import { Rows } from '../../ui/list.tsx';
import { Empty } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, Named, State } from '../../ui/values.tsx';
import { kindIn, readText, stepsIn } from '../campaign/draft/edits.ts';
import { summaryOf, useSaying } from '../campaign/steps/use-summary.ts';
import { effectLink } from './effect-link.ts';

interface Step {
  id: string;
  state: string;
  at: string;
  reason: string | null;
  variant: string | null;
  effect: {
    kind: string;
    channel?: string | undefined;
    message_id?: number | undefined;
    intent_id?: string | undefined;
    decision_id?: number | null | undefined;
  } | null;
}

interface RunStepsProps {
  run: { run_id: number; user_id: string | null; steps: readonly Step[] };
  /** The document of the run's version. Undefined until it is loaded. */
  document: unknown;
}

/** Kinds of steps for which the gate decides. */
const decided: readonly string[] = ['send', 'webhook', 'call_list', 'credit', 'credit_funds', 'offer'];

/** The steps of a run in order, each with the gate's decision and its effect. */
export function RunSteps({ run: { run_id, user_id, steps }, document }: RunStepsProps) {
  const words = useWords(runPage);
  const { step: stepWord } = useWords(campaignPage);
  const { kinds } = useWords(campaignEditor);
  const { common } = useText();
  const saying = useSaying(document);
  const nameOf = useCode();
  if (steps.length === 0) return <Empty>{words.noSteps}</Empty>;
  const known = new Map(stepsIn(document).map(({ id, step }) => [id, step]));
  const lines = steps.map((step, place) => ({ ...step, place }));
  return (
    <Rows
      scope="steps"
      items={lines}
      keyOf={({ place }) => place}
      columns={[
        {
          title: stepWord,
          show: ({ id }) => {
            const step = known.get(id);
            const kind = kindIn(step);
            return (
              <>
                <Text size="sm" component="span">
                  {id}
                </Text>
                {kind !== undefined && (
                  <Text size="xs" c="dimmed">
                    {[kinds[kind], summaryOf(step, saying)].filter(Boolean).join(': ')}
                  </Text>
                )}
              </>
            );
          },
        },
        { title: common.when, show: ({ at }) => <Moment at={at} /> },
        { title: common.state, show: ({ state }) => <State of={state} /> },
        { title: common.reason, show: ({ reason }) => (reason === null ? common.none : <Named of={reason} />) },
        { title: words.variant, show: ({ variant }) => variant ?? common.none },
        {
          title: words.decision,
          show: ({ id, effect }) => {
            if (!decided.includes(effect?.kind ?? kindIn(known.get(id)) ?? '')) return common.none;
            // A held or withheld step has decisions too, but no effect that names one.
            const row = effect?.decision_id;
            return (
              <To
                to="compliance/decisions"
                search={{ cause_id: `${run_id}/${id}`, ...(row != null && { row: String(row) }) }}
              >
                {row == null ? words.decisions : words.decision}
              </To>
            );
          },
        },
        {
          title: words.effect,
          show: ({ id, effect }) => {
            if (effect === null) return common.none;
            const link = effectLink(effect, user_id);
            const text =
              effect.message_id !== undefined
                ? words.message(String(effect.message_id))
                : effect.intent_id !== undefined
                  ? words.bonus(bonusCodeIn(known.get(id)) ?? effect.intent_id)
                  : nameOf(effect.kind);
            return link === undefined ? (
              text
            ) : (
              <To to={link.to} {...(link.search && { search: link.search })}>
                {text}
              </To>
            );
          },
        },
      ]}
    />
  );
}

/**
 * Returns the code of the bonus that a step credits or offers. It is shown instead of the number, because the number means
 * nothing to a person.
 */
function bonusCodeIn(step: unknown): string | undefined {
  const kind = kindIn(step);
  return kind === undefined ? undefined : readText(step, [kind, 'bonus_code']) || undefined;
}
