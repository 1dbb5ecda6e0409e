import { createHash } from 'node:crypto'
import type { oidc } from '../../lib/contract/operations/oidc.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { keySetMaxAgeMs } from '../../lib/limits/limits.ts'
import type { Services } from '../../lib/services.ts'

/**
 * Returns the metadata by which clients find the endpoints. It is the same for everyone, so every cache may keep it. Both
 * documents are the same (RFC 8414 5).
 */
const describeProvider = async (services: Services) => {
  const { runProvider } = await import('../../lib/oidc/provider/run-provider.ts')
  const path = '/.well-known/openid-configuration'
  const response = await runProvider({ services }, { method: 'GET', path })
  const body = {
    ...JSON.parse(response.body),
    // The library lists all that it knows. Clients are registered with these two.
    response_modes_supported: ['query', 'form_post'],
  }
  const etag = `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22)}"`
  const headers = {
    'cache-control': `public, max-age=${keySetMaxAgeMs / 1000}`,
    'cross-origin-resource-policy': 'cross-origin',
    etag,
  }
  return { status: 200, body, headers } as const
}

export const getOpenidConfiguration: UseCase<typeof oidc.getOpenidConfiguration> = (_, services) =>
  describeProvider(services)

export const getAuthorizationServerMetadata: UseCase<typeof oidc.getAuthorizationServerMetadata> = (
  _,
  services,
) => describeProvider(services)
