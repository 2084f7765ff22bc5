import path from 'node:path';
import type { Config } from '../config/index.ts';
import type { Credentials } from '../console/index.ts';
import type { DemoBrand } from './demo-brand.ts';
import { localAddress } from './local-address.ts';

export interface Announcement {
  config: Config;
  demo: DemoBrand | null;
  /** The console account that this start created. This is the only place that shows its password. */
  login: Credentials | null;
}

/** What a person needs after `npm start`, as text for the terminal. */
export function announce({ config, demo, login }: Announcement): string {
  const local = localAddress(config, 'localhost');
  // The default of PUBLIC_URL names localhost, which does not answer if the server listens on another address only.
  const url = config.public_url === `http://localhost:${config.port}` ? local : config.public_url;
  const lines: [string, string][] = [
    ['Croupier', url],
    ...(url === local ? [] : [['On this machine', local] satisfies [string, string]]),
    ['Console', `${url}/console`],
    ['Console API', `${url}/api/console/v1`],
    ['API docs', `${url}/docs`],
    ['Health', `${url}/health/ready`],
  ];
  if (demo) lines.push(['Brand demo, API key', demo.key]);
  if (demo?.sandbox_url) {
    lines.push(['Demo casino', demo.sandbox_url], ['Its live traffic', `${demo.sandbox_url}/live`]);
    // Anyone who has the sid can act as this player, so without the sandbox it is only in DATA_DIR/demo-test-sid.
    lines.push(['Brand demo, test user', `${demo.test_user.user_id}  sid ${demo.test_user.sid}`]);
  }
  if (login) lines.push(['Console login', `${login.email}  ${login.password}   (shown only now)`]);
  lines.push(['Console API token', adminTokenHint(config, login !== null)]);
  const width = Math.max(...lines.map(([name]) => name.length));
  return `\n${lines.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n')}\n\n`;
}

/** A generated token is printed only by the start that created the installation, to keep it out of later logs. */
function adminTokenHint(config: Config, first: boolean): string {
  if (process.env.CROUPIER_ADMIN_TOKEN) return 'see CROUPIER_ADMIN_TOKEN';
  return first ? config.admin_token : `in ${path.join(config.data_dir, 'admin-token')}`;
}
