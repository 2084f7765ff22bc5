import { Button, Group, NumberInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api, bodyOf } from '../../../../api/client.ts';
import { campaignTrial } from '../../../../text/campaign-trial.ts';
import { useWords } from '../../../../text/text.tsx';
import { useAct } from '../../../../ui/act.tsx';
import { Failed } from '../../../../ui/states.tsx';
import { useEditing } from '../../draft/editing.ts';
import { backtestsKey } from './queries.ts';

interface StartBacktestProps {
  code: string;
  onStarted(id: number): void;
}

/** Starts a backtest of the stored draft. The user chooses the number of days and of players. */
export function StartBacktest({ code, onStarted }: StartBacktestProps) {
  const words = useWords(campaignTrial);
  const { brand } = useEditing();
  const [days, setDays] = useState<number | string>(7);
  const [players, setPlayers] = useState<number | string>(1_000);
  const start = useAct(
    () =>
      bodyOf(
        api.POST('/api/console/v1/brands/{brand}/campaigns/{code}/backtest', {
          params: { path: { brand, code } },
          body: { days: Number(days), players: Number(players) },
        }),
      ),
    {
      touches: backtestsKey(brand, code),
      done: words.started,
      onDone: ({ backtest_id }) => onStarted(backtest_id),
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate();
  };
  return (
    <>
      <form onSubmit={submit}>
        <Group align="flex-end">
          <NumberInput label={words.days} min={1} max={90} value={days} onChange={setDays} allowDecimal={false} />
          <NumberInput
            label={words.mostPlayers}
            min={1}
            max={20_000}
            value={players}
            onChange={setPlayers}
            allowDecimal={false}
          />
          <Button type="submit" loading={start.isPending}>
            {words.start}
          </Button>
        </Group>
      </form>
      {start.isError && <Failed error={start.error} />}
    </>
  );
}
