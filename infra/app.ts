import { App, Aspects, Stack } from 'aws-cdk-lib'
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api'
import { AwsSolutionsChecks } from 'cdk-nag'
import { AuthService, type AuthServiceProps } from './auth-service.ts'
import type { ContextSetting } from './context-settings.ts'

/**
 * The app with its one stack. The CDK context holds the settings (`cdk deploy -c publicUrl=https://…`, or
 * `cdk.json`). `context-settings.ts` lists them.
 */
export const createApp = (
  options: { readonly outdir?: string; readonly context?: Record<string, string> } = {},
): App => {
  const app = new App({
    ...options,
    context: { ...CURRENTLY_RECOMMENDED_FLAGS, ...options.context },
    analyticsReporting: false,
  })
  const name = contextOf(app, 'stackName')
  const stack = new Stack(app, typeof name === 'string' ? name : 'Latchkey', {
    description: 'Latchkey: authentication and access tokens',
  })
  new AuthService(stack, 'Auth', settingsOf(app))
  Aspects.of(app).add(new AwsSolutionsChecks({ verbose: true }))
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
  const rateLimits = text('rateLimits')
  return {
    allowedOrigins:
      text('allowedOrigins')
        ?.split(',')
        .map((origin) => origin.trim()) ?? [],
    ...(publicUrl ? { publicUrl } : {}),
    ...(signInUrl ? { signInUrl } : {}),
    ...(mailFrom ? { mailFrom } : {}),
    ...(alarmEmail ? { alarmEmail } : {}),
    ...(rateLimits ? { rateLimits } : {}),
    ...(typeof breachEndpoint === 'string' ? { breachEndpoint } : {}),
    ...(domainName && certificateArn ? { domain: { name: domainName, certificateArn } } : {}),
  }
}

if (import.meta.main) createApp().synth()
