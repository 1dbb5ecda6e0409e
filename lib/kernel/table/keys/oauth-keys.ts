import { type Key, settingsKey } from './keys.ts'
import { partitions } from './partitions.ts'

export const clientKey = (id: number): Key => ({
  pk: `${partitions.client}${id}`,
  sk: 'oidc-client',
})
/** The ID of a client that describes itself, by the hash of its identifier. */
export const clientDocumentKey = (hash: string): Key => ({
  pk: `${partitions.clientDocument}${hash}`,
  sk: 'document',
})
/** An assertion of a client, by the hash of the client and its identifier. */
export const oauthAssertionKey = (hash: string): Key => ({
  pk: `${partitions.oauthAssertion}${hash}`,
  sk: 'assertion',
})
/** How many clients there are. */
export const clientCountKey: Key = { pk: partitions.clientCount, sk: 'count' }
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
export const oauthGrantKey = (id: string): Key => ({ pk: `${partitions.oauthGrant}${id}`, sk: 'grant' })
export const oauthCodeKey = (hash: string): Key => ({ pk: `${partitions.oauthCode}${hash}`, sk: 'code' })
/** A device that waits for its user, by the hash of its user code. */
export const oauthDeviceKey = (hash: string): Key => ({
  pk: `${partitions.oauthDevice}${hash}`,
  sk: 'device',
})
export const oauthPushedRequestKey = (hash: string): Key => ({
  pk: `${partitions.oauthPushedRequest}${hash}`,
  sk: 'pushed-request',
})
export const oauthRefreshTokenKey = (hash: string): Key => ({
  pk: `${partitions.oauthRefreshToken}${hash}`,
  sk: 'refresh-token',
})
/** A revoked access token. Its identifier is random. */
export const oauthRevokedTokenKey = (jti: string): Key => ({
  pk: `${partitions.oauthRevokedToken}${jti}`,
  sk: 'revoked-token',
})
export const oauthInteractionKey = (hash: string): Key => ({
  pk: `${partitions.oauthInteraction}${hash}`,
  sk: 'interaction',
})

export const agentPolicyKey = /* @__PURE__ */ settingsKey('agent-policy')
