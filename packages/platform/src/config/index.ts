export { type Config, type Environment, loadConfig } from './config.ts';
export { ConfigError } from './config-error.ts';
export { roleNames, type SingleSignOnSettings } from './single-sign-on.ts';
