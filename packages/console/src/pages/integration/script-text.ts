export interface ScriptOptions {
  /** Code of the brand. */
  brand: string;
  /** Of the platform, without a slash at its end. */
  address: string;
  /** Setting `site_script`: the names of what the script reads and offers. */
  names: {
    config_name: string;
    loader_name: string;
    brand_name: string;
    sid_name: string;
    file_name: string;
  };
  inbox: boolean;
  /** Id of the element that shows the unread count. */
  badge: string;
}

/** What a page of the operator runs (docs/guides/site.md 2), with the names that the brand has chosen. */
export function scriptText({ brand, address, names, inbox, badge }: ScriptOptions): string {
  const settings = [
    `  integrationVersion: '1.1',`,
    '  autoInit: true,',
    ...(inbox ? [`  inbox: { enable: true, badgeId: ${quoted(badge)} },`] : []),
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

/** What the page's policy has to allow (docs/guides/site.md 3). */
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
