import { App, Stack, Stage } from 'aws-cdk-lib'
import type { HttpApi, IHttpRouteAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2'
import type { IEventBus } from 'aws-cdk-lib/aws-events'
import { type AuthorizerOptions, AuthService, type AuthServiceProps } from '@latchkey/construct'
import { defineHook, fromCognitoTrigger, type HookHandler, hookInputs, invokeHook } from '@latchkey/hooks'
import { type LocalService, startLocalService } from 'latchkey'

const props: AuthServiceProps = { publicUrl: 'https://auth.example.com', dashboard: false }
const auth = new AuthService(new Stack(new Stage(new App(), 'Test'), 'Product'), 'Auth', props)
export const url: string = auth.url
export const httpApi: HttpApi = auth.httpApi
export const auditBus: IEventBus = auth.auditBus
const options: AuthorizerOptions = { permission: 'films:view' }
export const authorizer: IHttpRouteAuthorizer = auth.authorizer(options)
export const jwksUrl: string = auth.jwksUrl
export const tableName: string = auth.table.tableName
export const start = (): Promise<LocalService> => startLocalService({ adminPassword: 'violin harbor mustard' })

// @ts-expect-error Origins are a list.
export const wrong: AuthServiceProps = { allowedOrigins: 'https://app.example.com' }

export const settings: AuthServiceProps = {
  allowedOrigins: ['https://app.example.com'],
  passkeyUserVerification: 'preferred',
  recentAuthenticationSeconds: 300,
  tracing: true,
}

// @ts-expect-error Only the app has this setting.
export const ofApp: AuthServiceProps = { stackName: 'Latchkey' }

export const afterSignIn: HookHandler<'afterSignIn'> = defineHook('afterSignIn', async ({ user, sign_in }) =>
  user.email_verified && sign_in.methods.includes('pwd')
    ? { decision: 'continue' }
    : { decision: 'refuse', message: 'Confirm your address first.' },
)
export const duration: Promise<number> = invokeHook(afterSignIn, hookInputs.afterSignIn.passkey).then(
  ({ durationMs }) => durationMs,
)
export const moved = fromCognitoTrigger(async (event: { readonly response: object }) => event)

// @ts-expect-error A hook for tokens answers with claims.
export const wrongHook = defineHook('beforeToken', () => ({ decision: 'continue' }))
