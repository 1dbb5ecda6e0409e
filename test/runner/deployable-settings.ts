import { buildAuthorizerEnvironment } from '../../infra/authorizers/authorizer-options.ts'
import { internalSettings } from '../../lib/kernel/settings/internal-settings.ts'
import { serviceSettings } from '../../lib/kernel/settings/service-settings.ts'
import { settingsOn, variableOf } from '../../lib/kernel/settings/setting.ts'

/** The names of the settings that the stack can give to functions. */
const deployable = settingsOn({ ...serviceSettings, ...internalSettings }, 'stack', 'parts')
const names = new Set([
  ...Object.entries(deployable).map(([name, setting]) => variableOf(name, setting)),
  ...Object.keys(
    buildAuthorizerEnvironment({
      audiences: ['urn:api'],
      acceptsGuests: true,
      acceptsMachines: true,
      organization: 'optional',
      acceptsOrganizationTokens: true,
    }),
  ),
])

/** Settings that only tests use: lower costs of hashing, and metadata from this machine. */
const testSettings: readonly string[] = ['ALLOW_PRIVATE_METADATA', 'PASSWORD_COST']

/** @throws Error for a setting that no deployed function can have. */
export const assertDeployable = (settings: Readonly<Record<string, string>>): void => {
  const unknown = Object.keys(settings).filter((name) => !names.has(name) && !testSettings.includes(name))
  if (unknown.length > 0) throw new Error(`No deployed function has the setting ${unknown.join(', ')}.`)
}
