import type { LatchkeyConfig } from '../../lib/client/generated/configuration.ts'

/**
 * Returns a configuration as it is. In `latchkey.config.ts`, it lets editors complete and check each field.
 *
 * @example
 * ```ts
 * import { defineConfig } from 'latchkey'
 *
 * export default defineConfig({
 *   schema_version: 1,
 *   owner: 'film-library',
 *   clients: { web: { name: 'Film library', redirect_uris: ['http://127.0.0.1:4000/callback'] } },
 *   seed: { users: { ada: { password: 'ada likes silent films' } } },
 * })
 * ```
 */
export const defineConfig = (config: LatchkeyConfig): LatchkeyConfig => config
