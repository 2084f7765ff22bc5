import { Command } from 'commander';
import { benchCampaignMillion } from './campaign-million.ts';
import { benchConsoles } from './consoles/consoles.ts';
import { benchConsoleMillion } from './consoles/million.ts';
import { benchGrowth } from './growth.ts';
import { benchIngest } from './ingest.ts';
import { benchIsolation } from './isolation.ts';
import { benchLatency } from './latency.ts';
import { benchLatencyOfEvents } from './latency-of-events.ts';
import { benchMemory } from './memory.ts';
import { benchPipeline, benchPipelineCampaigns, benchPipelineSegments } from './pipeline.ts';
import { benchScript } from './script.ts';
import { benchSegments } from './segments/segments.ts';
import { benchSegmentsMidnight } from './segments-midnight.ts';
import { benchSegmentsPreview } from './segments-preview.ts';
import { benchSizes } from './sizes.ts';
import { benchSockets } from './sockets.ts';

const benches: Record<string, (options: { smoke: boolean }) => Promise<boolean>> = {
  ingest: benchIngest,
  pipeline: benchPipeline,
  'pipeline-segments': benchPipelineSegments,
  'pipeline-campaigns': benchPipelineCampaigns,
  growth: benchGrowth,
  memory: benchMemory,
  sizes: benchSizes,
  sockets: benchSockets,
  latency: benchLatency,
  'latency-of-events': benchLatencyOfEvents,
  script: benchScript,
  isolation: benchIsolation,
  segments: benchSegments,
  'segments-preview': benchSegmentsPreview,
  'segments-midnight': benchSegmentsMidnight,
  'campaign-million': benchCampaignMillion,
  consoles: benchConsoles,
  'console-million': benchConsoleMillion,
};

const program = new Command('bench')
  .description('Measures and prints one JSON line per figure (bench/README.md)')
  .argument('[names...]', `which: ${Object.keys(benches).join(', ')}; default: all`)
  .option('--smoke', 'runs for seconds instead of minutes: shows that the bench works, and measures nothing', false)
  .action(async (names: string[], options: { smoke: boolean }) => {
    let holds = true;
    for (const name of names.length > 0 ? names : Object.keys(benches)) {
      const bench = benches[name];
      if (bench === undefined) return program.error(`error: there is no bench ${name}. Add --help to see all names.`);
      holds = (await bench(options)) && holds;
    }
    process.exitCode = holds ? 0 : 1;
  });

await program.parseAsync();
