import { countFailedLookup } from '../../accounts/callers/throttle.ts'
import type { UseCase } from '../../http/use-case.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { proveClient, refuseClient } from './authenticate-client.ts'
import { applyClaimsRequest } from './claims.ts'
import { listPageOrigins } from './client-uris.ts'
import { OAuthError } from './flow.models.ts'
import type { oidc } from './operations.ts'
import { providerPaths } from './provider/provider-paths.ts'
import type { ProviderRun } from './provider/run.ts'
import { PushedAuthorization } from './pushed-requests.models.ts'

/** Checks and keeps the parameters of an authorization until its browser comes (RFC 9126). */
export const pushAuthorizationRequest: UseCase<typeof oidc.pushAuthorizationRequest> = async (
  { body, authorizationHeader, dpopHeader, context },
  services,
) => {
  const { runProvider } = await import('./provider/run-provider.ts')
  const proven = await proveClient(services, body, { authorizationHeader, context })
  if (!proven) return refuseClient(services, context)
  const { client_secret: secret, ...parameters } = proven.form
  const run: ProviderRun = {
    services,
    context,
    provenClient: proven.provenClient,
    parameters: applyClaimsRequest(parameters),
  }
  const response = await runProvider(run, {
    method: 'POST',
    path: providerPaths.pushedAuthorization,
    form: { ...run.parameters, ...omitUndefined({ client_secret: secret }) },
    authorizationHeader,
    dpopHeader,
  })
  const content: unknown = JSON.parse(response.body)
  if (response.status === 201) {
    const readableFrom = run.client && listPageOrigins(run.client)
    return { status: 201, body: PushedAuthorization.parse(content), headers: noStore, readableFrom }
  }
  const error = OAuthError.parse(content)
  if (error.error !== 'invalid_client') return { status: 400, body: error, headers: noStore }
  await countFailedLookup(services, context)
  const challenge = response.headers['www-authenticate']
  const headers = { ...noStore, ...(challenge !== undefined && { 'www-authenticate': challenge }) }
  return { status: 401, body: error, headers }
}

const noStore = { 'cache-control': 'no-store' }
