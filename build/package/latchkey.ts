/* What `import … from 'latchkey'` offers: local mode for tests and development, and the types of configuration files. */

export type { LatchkeyConfig } from '../../lib/client/generated/configuration.ts'
export { defineConfig } from '../../local/config/define-config.ts'
export {
  type LocalOutputs,
  type LocalService,
  type LocalServiceOptions,
  startLocalService,
} from '../../local/start-local-service.ts'
