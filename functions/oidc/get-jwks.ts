import type { oidc } from '../../lib/contract/operations/oidc.ts'
import { buildWeakTag } from '../../lib/http/answer-from-cache.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { keySetMaxAgeMs } from '../../lib/limits/limits.ts'
import { getKeySet } from '../../lib/signing-keys/key-set.ts'

/** Returns the public keys. They are the same for everyone, so every cache may keep them. */
export const getJwks: UseCase<typeof oidc.getJwks> = async (_, services) => {
  const keys = [...(await getKeySet(services))]
  // An empty set is only seen during a first deployment, and must not stay in a cache.
  if (keys.length === 0) return { status: 200, body: { keys } }
  const etag = buildWeakTag(keys.map(({ kid }) => kid).join(' '))
  return {
    status: 200,
    body: { keys },
    headers: {
      'cache-control': `public, max-age=${keySetMaxAgeMs / 1000}`,
      // Browsers may read public keys from every origin.
      'cross-origin-resource-policy': 'cross-origin',
      etag,
    },
  }
}
