import { countFailedLookup } from '../../lib/accounts/common/lookup-throttle.ts'
import { OAuthError, TokenResponse } from '../../lib/contract/models/oidc-flow.ts'
import type { oidc } from '../../lib/contract/operations/oidc.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { refuseClient } from '../../lib/oidc/client-refusal.ts'
import { listPageOrigins } from '../../lib/oidc/client-uris.ts'
import { proveClient } from '../../lib/oidc/provider/prove-client.ts'
import { providerPaths } from '../../lib/oidc/provider/provider-paths.ts'
import type { ProviderRun } from '../../lib/oidc/provider/run.ts'

/**
 * Gives tokens to a client. Codes and secrets cannot be guessed, so good ones are served at any time, and only failures
 * count against the network of the caller.
 */
export const issueTokens: UseCase<typeof oidc.issueTokens> = async (
  { body, authorizationHeader, dpopHeader, context },
  services,
) => {
  const { runProvider } = await import('../../lib/oidc/provider/run-provider.ts')
  const proven = await proveClient(services, body, authorizationHeader)
  if (!proven) return refuseClient(services, context)
  const { form, provenClient } = proven
  const run: ProviderRun = { services, context, provenClient }
  const response = await runProvider(run, {
    method: 'POST',
    path: providerPaths.token,
    form,
    authorizationHeader,
    dpopHeader,
  })
  const content: unknown = JSON.parse(response.body)
  if (response.status === 200) {
    const readableFrom = run.client && listPageOrigins(run.client)
    return { status: 200, body: TokenResponse.parse(content), headers: noStore, readableFrom }
  }
  const error = OAuthError.parse(content)
  if (error.error === 'invalid_client' || error.error === 'invalid_grant')
    await countFailedLookup(services, context)
  const challenge = response.headers['www-authenticate']
  return response.status === 401
    ? {
        status: 401,
        body: error,
        headers: { ...noStore, ...(challenge ? { 'www-authenticate': challenge } : {}) },
      }
    : { status: 400, body: error, headers: noStore }
}

/** RFC 6749 5.1. */
const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' }
