export { type Config, ConfigError, type Environment, loadConfig } from './config.ts';
