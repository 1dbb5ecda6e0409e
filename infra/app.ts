import { App, Stack, Validations } from 'aws-cdk-lib'
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api'
import { AwsSolutionsChecks } from 'cdk-nag'
import { omitUndefined } from '../lib/core/omit-undefined.ts'
import { userVerifications } from '../lib/core/passkey-settings.ts'
import { AuthService } from './auth-service.ts'
import type { AuthServiceProps } from './auth-service-props.ts'
import type { ContextSetting } from './context-settings.ts'

export interface AppOptions {
  /** The folder of the cloud assembly; chosen by the CDK if omitted. */
  readonly outdir?: string
  readonly context?: Readonly<Record<string, string>>
  /** A folder that `node infra/bundle.ts` wrote; the functions are bundled during synthesis if omitted. */
  readonly bundleDir?: string
}

/**
 * The app with its one stack. The CDK context holds the settings (`cdk deploy -c publicUrl=https://…`, or
 * `cdk.json`). `context-settings.ts` lists them.
 */
export const createApp = ({ outdir, context, bundleDir }: AppOptions = {}): App => {
  const app = new App({
    ...(outdir ? { outdir } : {}),
    context: { ...CURRENTLY_RECOMMENDED_FLAGS, ...context },
    analyticsReporting: false,
  })
  const name = contextOf(app, 'stackName')
  const stack = new Stack(app, typeof name === 'string' ? name : 'Latchkey', {
    description: 'Latchkey: authentication and access tokens',
  })
  new AuthService(stack, 'Auth', { ...settingsOf(app), bundleDir })
  const rules = new AwsSolutionsChecks(app, { verbose: true, writeSuppressionsToCloudFormation: true })
  Validations.of(app).addPlugins(rules)
  return app
}

const contextOf = (app: App, name: ContextSetting): unknown => app.node.tryGetContext(name)

const settingsOf = (app: App): AuthServiceProps => {
  const text = (name: ContextSetting): string | undefined => app.node.tryGetContext(name) || undefined
  const [domainName, certificateArn] = [text('domainName'), text('certificateArn')]
  if (!domainName !== !certificateArn) throw new Error('domainName and certificateArn must be set together.')
  const [publicUrl, signInUrl] = [text('publicUrl'), text('signInUrl')]
  // An empty value is meaningful: it turns the lookup off.
  const breachEndpoint = contextOf(app, 'breachEndpoint')
  const [mailFrom, alarmEmail] = [text('mailFrom'), text('alarmEmail')]
  const [rateLimits, sessionLifetimes] = [text('rateLimits'), text('sessionLifetimes')]
  const flag = (name: ContextSetting): boolean | undefined => readFlag(name, contextOf(app, name))
  const count = (name: ContextSetting): number | undefined => readCount(name, contextOf(app, name))
  return {
    ...omitUndefined({
      tracing: flag('tracing'),
      backup: flag('backup'),
      dashboard: flag('dashboard'),
      hashingConcurrency: count('hashingConcurrency'),
      signInByEmail: flag('signInByEmail'),
      allowMixedScripts: flag('allowMixedScripts'),
      hstsIncludeSubdomains: flag('hstsIncludeSubdomains'),
      hstsPreload: flag('hstsPreload'),
      recentAuthenticationSeconds: count('recentAuthenticationSeconds'),
    }),
    allowedOrigins:
      text('allowedOrigins')
        ?.split(',')
        .map((origin) => origin.trim()) ?? [],
    ...(publicUrl ? { publicUrl } : {}),
    ...(signInUrl ? { signInUrl } : {}),
    ...(mailFrom ? { mailFrom } : {}),
    ...(alarmEmail ? { alarmEmail } : {}),
    ...(rateLimits ? { rateLimits } : {}),
    ...(sessionLifetimes ? { sessionLifetimes } : {}),
    ...readPasskeyProps(text, count('passkeyTimeoutSeconds')),
    ...(typeof breachEndpoint === 'string' ? { breachEndpoint } : {}),
    ...(domainName && certificateArn ? { domain: { name: domainName, certificateArn } } : {}),
  }
}

const readFlag = (name: ContextSetting, value: unknown): boolean | undefined => {
  if (value === undefined || value === '') return undefined
  if (value === 'true' || value === true) return true
  if (value === 'false' || value === false) return false
  throw new Error(`${name} must be true or false.`)
}

const readCount = (name: ContextSetting, value: unknown): number | undefined => {
  if (value === undefined || value === '') return undefined
  const count = Number(value)
  if (!Number.isInteger(count) || count < 1) throw new Error(`${name} must be a whole number from 1.`)
  return count
}

const readPasskeyProps = (
  text: (name: ContextSetting) => string | undefined,
  timeoutSeconds: number | undefined,
): AuthServiceProps => {
  const verification = text('passkeyUserVerification')
  const userVerification = userVerifications.find((value) => value === verification)
  if (verification !== userVerification)
    throw new Error('passkeyUserVerification must be required or preferred.')
  return omitUndefined({
    passkeyRpId: text('passkeyRpId'),
    passkeyRpName: text('passkeyRpName'),
    passkeyOrigins: text('passkeyOrigins')
      ?.split(',')
      .map((origin) => origin.trim()),
    passkeyUserVerification: userVerification,
    passkeyTimeoutSeconds: timeoutSeconds,
  })
}

if (import.meta.main) createApp().synth()
