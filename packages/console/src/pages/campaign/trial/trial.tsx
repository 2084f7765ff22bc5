import { SegmentedControl, Stack, Text } from '@mantine/core';
import { campaignTrial } from '../../../text/campaign-trial.ts';
import { useWords } from '../../../text/text.tsx';
import { useFilters } from '../../../ui/filters.tsx';
import { useIsPhone } from '../../../ui/use-is-phone.ts';
import { useEditing } from '../draft/editing.ts';
import { Backtests } from './backtests.tsx';
import { DryRun } from './dry-run.tsx';
import { Forecast } from './forecast.tsx';
import { Scenario } from './scenario.tsx';
import { firstScenario, type ScenarioState } from './scenario-state.ts';

const ways = ['scenario', 'dry-run', 'backtest', 'forecast'] as const;
type Way = (typeof ways)[number];

interface TrialProps {
  code: string;
  /** Revision of the stored draft, which a dry run and a forecast use. */
  revision: string;
  /** Whether the draft has unsaved changes. */
  isChanged: boolean;
  /** The scenario that is tried. If it is undefined, a scenario that fits the entry is used. */
  scenario: ScenarioState | undefined;
  setScenario(state: ScenarioState): void;
}

/** Tests a campaign before it is published. */
export default function Trial({ code, revision, isChanged, scenario, setScenario }: TrialProps) {
  const words = useWords(campaignTrial);
  const { draft } = useEditing();
  const isPhone = useIsPhone();
  const { filters, change } = useFilters();
  const way: Way = ways.find((one) => one === filters.try) ?? 'scenario';
  const go = (to: Way) => change('try', to === 'scenario' ? null : to);
  return (
    <Stack>
      <div>
        <SegmentedControl
          aria-label={words.how}
          orientation={isPhone ? 'vertical' : 'horizontal'}
          value={way}
          onChange={(to) => go(to as Way)}
          data={ways.map((value) => ({ value, label: words.ways[value] }))}
        />
      </div>
      <Text size="sm" c="dimmed" maw={800}>
        {words.about[way]}
      </Text>
      {way === 'scenario' && <Scenario state={scenario ?? firstScenario(draft)} change={setScenario} />}
      {way === 'dry-run' && <DryRun code={code} revision={revision} isChanged={isChanged} />}
      {way === 'backtest' && <Backtests code={code} isChanged={isChanged} />}
      {way === 'forecast' && (
        <Forecast code={code} revision={revision} isChanged={isChanged} toBacktests={() => go('backtest')} />
      )}
    </Stack>
  );
}
