export interface ScriptOptions {
  /** Code of the brand. */
  brand: string;
  /** Base URL of the platform, without a trailing slash. */
  address: string;
  /** Setting `site_script`: the names of globals that the script reads and defines. */
  names: {
    config_name: string;
    api_name: string;
    loader_name: string;
    brand_name: string;
    sid_name: string;
    file_name: string;
  };
  /** Fields of `window.crm` that differ from their defaults. */
  config: ScriptConfig;
}

/** The configuration of a page (docs/guides/site.md 2). */
export interface ScriptConfig {
  enableEventTracking?: boolean;
  enablePendingRewards?: boolean;
  enableCrmIntegration?: boolean;
  inbox?: {
    enable: boolean;
    badgeId?: string;
    navBarLogo?: string;
    contactEmail?: string;
    termsAboveButtons?: boolean;
    closeModalOnFogClick?: boolean;
  };
}

/**
 * Returns the code that a page of the operator runs (docs/guides/site.md 2), with the names that the brand has chosen.
 */
export function scriptText({ brand, address, names, config: { inbox, ...flags } }: ScriptOptions): string {
  const line = ([name, value]: [string, unknown]) =>
    `${name}: ${typeof value === 'string' ? quoted(value) : JSON.stringify(value)},`;
  const settings = [
    `  integrationVersion: '1.1',`,
    '  autoInit: true,',
    ...Object.entries(flags).map((entry) => `  ${line(entry)}`),
    ...(inbox ? ['  inbox: {', ...Object.entries(inbox).map((entry) => `    ${line(entry)}`), '  },'] : []),
  ];
  return [
    `window.${names.sid_name} = '...';   // session of the signed-in player, rendered into the page`,
    `window.${names.brand_name} = ${quoted(brand)};`,
    `window.${names.config_name} = {`,
    ...settings,
    '};',
    `const script = document.createElement('script');`,
    'script.async = true;',
    `script.src = ${quoted(`${address}/loader/${brand}/${names.file_name}.js`)};`,
    `script.onload = () => new window.${names.loader_name}();`,
    'document.head.append(script);',
  ].join('\n');
}

/** Returns the directives that the content security policy of the page needs (docs/guides/site.md 3). */
export function policyText({ address }: ScriptOptions): string {
  const socket = address.replace(/^http/, 'ws');
  return [
    `script-src  'self' ${address}`,
    `connect-src 'self' ${address} ${socket}`,
    "img-src     'self' <where the images of your messages are>",
    "worker-src  'self'                      for push only",
  ].join('\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
