import { Alert, Badge, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { campaignEditor } from '../../text/campaign-editor.ts';
import { rewards } from '../../text/rewards.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useDurationWords } from '../../ui/duration.ts';
import { Money, useBaseCurrency } from '../../ui/money.tsx';
import { useBrand } from '../../ui/page.tsx';
import { To } from '../../ui/to.tsx';
import { Moment, useNumber } from '../../ui/values.tsx';
import { KindIcon } from '../campaign/steps/kind-icon.tsx';
import { DifferenceList } from '../campaign/versions/difference-list.tsx';
import { BudgetUse } from './budget-use.tsx';
import { type BudgetShown, campaignBudgetsQuery } from './queries.ts';
import { costPerRun, type RewardChange, rewardChanges, type Term, type TermChange } from './reward-changes.ts';

interface Request {
  code: string;
  name: string;
  /** The version that waits. */
  version: number;
  /** The version in force. Null if none was published. */
  published: number | null;
  /** The document in force. Undefined if none was published. */
  before: unknown;
  after: unknown;
  movesRuns: boolean;
  asked_by: string;
  asked_at: string;
  reasons: readonly string[];
}

const colors = { added: 'teal', removed: 'red', changed: 'blue', unchanged: 'gray' } as const;

/** Shows a draft that waits for approval: why it waits, what it gives to players, and what it changes. */
export function ApprovalRequest({ of, action }: { of: Request; action: ReactNode }) {
  const { approvals: words } = useWords(rewards);
  const { common } = useText();
  const { code, name, version, published, before, after, movesRuns, asked_by, asked_at, reasons } = of;
  const changes = rewardChanges(before, after);
  return (
    <Card withBorder component="section" aria-label={words.request(name)}>
      <Stack gap="md">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Stack gap={4}>
            <Title order={3} size="h4">
              <To to={`campaigns/${code}`} search={{ tab: 'versions' }}>
                {name}
              </To>
            </Title>
            <Text size="sm" c="dimmed" component="div">
              {common.version} {version} · {words.askedBy(asked_by)} · <Moment at={asked_at} />
            </Text>
          </Stack>
          {action}
        </Group>
        <Alert color="yellow" title={words.why}>
          {reasons.map((reason) => (
            <Text key={reason} size="sm">
              {reason}
            </Text>
          ))}
        </Alert>
        <div>
          <Title order={4} size="h5" mb="xs">
            {words.rewards}
          </Title>
          {changes.length === 0 ? (
            <Text size="sm" c="dimmed">
              {words.noRewards}
            </Text>
          ) : (
            <Stack gap="sm">
              {changes.map((change) => (
                <Reward key={change.step} of={change} />
              ))}
            </Stack>
          )}
        </div>
        {changes.length > 0 && <Budgets code={code} before={before} after={after} />}
        <div>
          <Title order={4} size="h5" mb="xs">
            {published === null ? words.all : words.changedSince(published)}
          </Title>
          {(published === null || movesRuns) && (
            <Text size="sm" c="dimmed" mb="xs">
              {published === null ? words.first : words.movesRuns}
            </Text>
          )}
          <DifferenceList before={before} after={after} />
        </div>
      </Stack>
    </Card>
  );
}

function Reward({ of: { step, kind, how, terms } }: { of: RewardChange }) {
  const { approvals: words } = useWords(rewards);
  const { kinds } = useWords(campaignEditor);
  return (
    <div>
      <Group gap="xs">
        <Badge size="sm" variant="light" color={colors[how]} tt="none" className="difference-badge">
          {words.hows[how]}
        </Badge>
        <KindIcon kind={kind} />
        <Text size="sm" fw={600}>
          {step}
        </Text>
        <Text size="sm" c="dimmed">
          {kinds[kind]}
        </Text>
      </Group>
      <Group component="dl" gap="md" my={4} className="reward-terms">
        {terms.map((term) => (
          <Terms key={term.term} of={term} how={how} />
        ))}
      </Group>
    </div>
  );
}

/** One term. If it was changed, the former value is struck through. */
function Terms({ of: { term, before, after }, how }: { of: TermChange; how: RewardChange['how'] }) {
  const { approvals: words } = useWords(rewards);
  const { common } = useText();
  const duration = useDurationWords();
  const say = (value: unknown) => sayTerm(term, value, duration);
  const [was, is] = [say(before), say(after)];
  return (
    <div>
      <Text size="xs" c="dimmed" component="dt">
        {words.terms[term]}
      </Text>
      <Text size="sm" component="dd" m={0} className="figure">
        {was !== '' && was !== is && <s>{was}</s>} {is || (how === 'changed' && common.none)}
      </Text>
    </div>
  );
}

function sayTerm(term: Term, value: unknown, duration: (text: string) => string): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.join(', ');
  return term === 'expires_in' ? duration(String(value)) : String(value);
}

/** The budgets that limit the campaign, and how much of them one run can use, before and after the change. */
function Budgets({ code, before, after }: Pick<Request, 'code' | 'before' | 'after'>) {
  const { approvals: words } = useWords(rewards);
  const budgets = useQuery(campaignBudgetsQuery(useBrand(), code));
  if (budgets.data === undefined) return null;
  return (
    <div>
      <Title order={4} size="h5" mb="xs">
        {words.budgets}
      </Title>
      {budgets.data.items.length === 0 ? (
        <Text size="sm" c="dimmed">
          {words.noBudgets}
        </Text>
      ) : (
        <Stack gap="sm">
          {budgets.data.items.map((budget) => (
            <Budget key={budget.budget_id} of={budget} before={before} after={after} />
          ))}
        </Stack>
      )}
    </div>
  );
}

function Budget({ of, before, after }: { of: BudgetShown } & Pick<Request, 'before' | 'after'>) {
  const { approvals: words, budgets: budgetWords } = useWords(rewards);
  const number = useNumber();
  const base = useBaseCurrency();
  const { scope, name, limit_amount, limit_count, window_days, spent, reserved, left, bonus_values } = of;
  const isShared = scope === 'campaign';
  const [was, is] = [before, after].map((document) =>
    document === undefined ? undefined : costPerRun(document, base, bonus_values),
  );
  const cost = (of: string | null) => (of === null ? words.unknownCost : <Money of={of} />);
  return (
    <div>
      <Text size="sm" fw={600}>
        {name}
        {!isShared && ` (${budgetWords.eachPlayer(window_days)})`}
      </Text>
      <Group gap="lg" align="flex-start">
        {limit_amount !== null && (
          <BudgetUse
            isShared={isShared}
            show={(amount) => <Money of={amount} />}
            limit={limit_amount}
            spent={spent.amount}
            reserved={reserved.amount}
          />
        )}
        {limit_count !== null && (
          <BudgetUse
            isShared={isShared}
            show={(count) => `${number(Number(count))} ${budgetWords.bonuses}`}
            limit={String(limit_count)}
            spent={String(spent.count)}
            reserved={String(reserved.count)}
          />
        )}
        {left?.amount != null && (
          <Text size="sm" component="div">
            <Money of={left.amount} /> {words.left}
          </Text>
        )}
        <Text size="sm" component="div">
          {words.perRun}:{' '}
          {was !== undefined && was !== is && (
            <>
              <s>{cost(was)}</s>{' '}
            </>
          )}
          {is !== undefined && cost(is)}
        </Text>
      </Group>
    </div>
  );
}
