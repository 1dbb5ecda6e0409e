import { buildAuthorizerEnvironment } from '../../infra/authorizers/authorizer-options.ts'
import { buildEnvironment, buildFrontDoorEnvironment } from '../../infra/settings/environment.ts'

/** The names of the settings that the construct can give to functions. */
const names = new Set(
  Object.keys(
    buildEnvironment(
      {
        recentAuthenticationSeconds: 60,
        linkUrl: 'https://shop.example.com/',
        jwtAudiences: ['https://shop.example.com'],
        passkeyRpId: 'example.com',
        passkeyRpName: 'Example',
        passkeyOrigins: ['https://example.com'],
        passkeyUserVerification: 'required',
        passkeyTimeoutSeconds: 60,
        trustedProxies: ['192.0.2.1'],
        breachEndpoint: '',
      },
      { tableName: '', publicUrl: '' },
    ),
  ).concat(
    Object.keys(buildFrontDoorEnvironment({ certificateArn: '' }, 'secret')),
    Object.keys(buildAuthorizerEnvironment({ audiences: ['urn:api'], acceptsGuests: true })),
  ),
)

/** Settings that only tests use: lower costs of hashing, checks of responses, and metadata from this machine. */
const testSettings: readonly string[] = ['ALLOW_PRIVATE_METADATA', 'PASSWORD_COST', 'VALIDATE_RESPONSES']

/** @throws Error for a setting that no deployed function can have. */
export const assertDeployable = (settings: Readonly<Record<string, string>>): void => {
  const unknown = Object.keys(settings).filter((name) => !names.has(name) && !testSettings.includes(name))
  if (unknown.length > 0) throw new Error(`No deployed function has the setting ${unknown.join(', ')}.`)
}
