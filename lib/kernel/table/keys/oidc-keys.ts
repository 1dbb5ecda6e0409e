import type { Key } from './keys.ts'
import { partitions } from './partitions.ts'

export const oidcClientKey = (id: number): Key => ({
  pk: `${partitions.oidcClient}${id}`,
  sk: 'oidc-client',
})
/** The ID of a client that describes itself, by the hash of its identifier. */
export const oidcClientDocumentKey = (hash: string): Key => ({
  pk: `${partitions.oidcClientDocument}${hash}`,
  sk: 'document',
})
/** An assertion of a client, by the hash of the client and its identifier. */
export const oidcAssertionKey = (hash: string): Key => ({
  pk: `${partitions.oidcAssertion}${hash}`,
  sk: 'assertion',
})
/** How many clients there are. */
export const oidcClientCountKey: Key = { pk: partitions.oidcClientCount, sk: 'count' }
export const protectedApiKey = (id: number): Key => ({
  pk: `${partitions.protectedApi}${id}`,
  sk: 'protected-api',
})
/** How many protected APIs there are. */
export const protectedApiCountKey: Key = { pk: partitions.protectedApiCount, sk: 'count' }
/** What tokens for an API may state, by the hash of its audience. */
export const protectedApiAudienceKey = (hash: string): Key => ({
  pk: `${partitions.protectedApiAudience}${hash}`,
  sk: 'audience',
})
/** A grant. Its ID is random, so grants are spread over the table. */
export const oidcGrantKey = (id: string): Key => ({ pk: `${partitions.oidcGrant}${id}`, sk: 'grant' })
export const oidcCodeKey = (hash: string): Key => ({ pk: `${partitions.oidcCode}${hash}`, sk: 'code' })
/** A device that waits for its user, by the hash of its user code. */
export const oidcDeviceKey = (hash: string): Key => ({ pk: `${partitions.oidcDevice}${hash}`, sk: 'device' })
export const oidcPushedRequestKey = (hash: string): Key => ({
  pk: `${partitions.oidcPushedRequest}${hash}`,
  sk: 'pushed-request',
})
export const oidcRefreshTokenKey = (hash: string): Key => ({
  pk: `${partitions.oidcRefreshToken}${hash}`,
  sk: 'refresh-token',
})
/** A revoked access token. Its identifier is random. */
export const oidcRevokedTokenKey = (jti: string): Key => ({
  pk: `${partitions.oidcRevokedToken}${jti}`,
  sk: 'revoked-token',
})
export const oidcInteractionKey = (hash: string): Key => ({
  pk: `${partitions.oidcInteraction}${hash}`,
  sk: 'interaction',
})
