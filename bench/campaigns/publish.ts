import { consoleCall } from '../console-call.ts';
import type { BenchPlatform } from '../platform.ts';
import { hundredSegments } from '../segments/hundred.ts';
import { publishSegments } from '../segments/publish.ts';
import { templates, twentyCampaigns } from './twenty.ts';

/** Publishes the hundred segments and the twenty campaigns, some of which start on these segments, through the console API. */
export async function publishSegmentsAndCampaigns(platform: BenchPlatform): Promise<void> {
  await publishSegments(platform, hundredSegments);
  for (const template of templates) await consoleCall(platform, 'POST', 'templates', template);
  for (const campaign of twentyCampaigns) {
    await consoleCall(platform, 'POST', 'campaigns', campaign);
    await consoleCall(platform, 'POST', `campaigns/${campaign.code}/publish`, {});
  }
}
