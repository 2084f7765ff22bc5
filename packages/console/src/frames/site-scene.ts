/** What the frame `/console/frames/site` shows. The console sends it with `postMessage`. */
export interface SiteScene {
  brand: string;
  /** Setting `site_script`. */
  names: {
    config_name: string;
    api_name: string;
    loader_name: string;
    brand_name: string;
    sid_name: string;
    file_name: string;
  };
  /** `window.crm`. */
  config: object;
  /** Options of `demoMessage`. */
  messages: readonly object[];
  inbox: 'closed' | 'list' | 'opened';
  isDark: boolean;
}
