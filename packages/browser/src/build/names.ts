/** Placeholders for the brand's names. `nameLoader` replaces them when the loader is served. */
export const placeholders = {
  CONFIG_NAME: '%config%',
  API_NAME: '%api%',
  LOADER_NAME: '%loader%',
  SID_NAME: '%sid%',
  BRAND_NAME: '%brand%',
  FILE_NAME: '%file%',
} as const;

/** One brand's names of the globals of a page and of the file (setting `site_script`). */
export interface ScriptNames {
  /** `window.crm` */
  config_name: string;
  /** `window.Crm` */
  api_name: string;
  /** `window.CrmLoader` */
  loader_name: string;
  /** `window.crmbrand` */
  brand_name: string;
  /** `window.sid` */
  sid_name: string;
  /** `crm` in /loader/<brand>/crm.js */
  file_name: string;
}

export const defaultNames: ScriptNames = {
  config_name: 'crm',
  api_name: 'Crm',
  loader_name: 'CrmLoader',
  brand_name: 'crmbrand',
  sid_name: 'sid',
  file_name: 'crm',
};

/** The setting has the same rule. An accepted name is safe in any string of the script, with any quotes. */
const identifier = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const fileName = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Returns the loader with a brand's names. @throws {RangeError} if a name could break out of the string that contains
 * it
 */
export function nameLoader(loader: string, names: ScriptNames): string {
  const { file_name, ...globals } = names;
  if (!fileName.test(file_name) || !Object.values(globals).every((name) => identifier.test(name))) {
    throw new RangeError('a name of the browser script is not a valid identifier');
  }
  const values: Record<string, string> = {
    [placeholders.CONFIG_NAME]: names.config_name,
    [placeholders.API_NAME]: names.api_name,
    [placeholders.LOADER_NAME]: names.loader_name,
    [placeholders.SID_NAME]: names.sid_name,
    [placeholders.BRAND_NAME]: names.brand_name,
    [placeholders.FILE_NAME]: `${file_name}.js`,
  };
  return loader.replaceAll(/%[a-z]+%/g, (found) => values[found] ?? found);
}
