export { type Config, ConfigError, type Environment, loadConfig } from './config.ts';
export { roleNames, type SingleSignOnSettings } from './single-sign-on.ts';
