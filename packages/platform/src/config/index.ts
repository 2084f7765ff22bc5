export { type Config, ConfigError, type Environment, loadConfig } from './config.ts';
export { keepSecret } from './kept-secrets.ts';
