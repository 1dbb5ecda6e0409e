import type { TokenEndpointResponse } from 'openid-client'
import type { TokenRevocation } from '../../../accounts/sessions/logout-jobs.records.ts'
import type { EncryptionContext } from '../../../kernel/secrets/vault.ts'
import { UnreadableSecret } from '../../../kernel/secrets/vault.ts'
import type { Services } from '../../../services.ts'
import { type AccountName, hashAccountName } from '../accounts.records.ts'
import { findConnectionOf } from '../records.ts'
import { decryptClientSecret, findFetchError, openIdentityProvider } from './identity-provider.ts'
import { getProviderRow } from './providers/rows.ts'
import { type OidcConnection, oidcKind } from './records.ts'

/*
 * Apple wants a service to revoke its tokens when an account there is no longer used here: "Token revocation" at
 * developer.apple.com/documentation/signinwithapplerestapi/revoke-tokens. So the refresh token of a sign-in is
 * kept, encrypted, for that alone. Other providers have no such rule, and nothing of theirs is kept.
 */

/** The encryption context of a refresh token. It is the same when the account moves to another user. */
export const getRefreshTokenContext = (providerId: number, account: string): EncryptionContext => ({
  purpose: 'connection',
  provider: String(providerId),
  field: 'refresh_token',
  account,
})

/** Those of Apple have less than 100. */
const tokenLength = 2000

/** Encrypts the refresh token of a sign-in, for the account that it belongs to. Undefined if there is none to keep. */
export const sealRefreshToken = async (
  { vault }: Services,
  connection: OidcConnection,
  name: AccountName,
  { refresh_token: token }: Pick<TokenEndpointResponse, 'refresh_token'>,
): Promise<{ readonly cipher: string } | undefined> => {
  if (typeof token !== 'string' || token === '' || token.length > tokenLength) return undefined
  const context = getRefreshTokenContext(connection.id, hashAccountName(name))
  return { cipher: await vault.encrypt(token, context) }
}

/** Why a token was not revoked, and whether another attempt may help. */
export interface RevocationFailure {
  readonly reason: string
  readonly isFinal: boolean
}

/**
 * Revokes a token at its provider (RFC 7009), which ends the consent of the person there. Without the connection, nobody can. Returns
 * undefined if the token was revoked.
 */
export const revokeRefreshToken = async (
  services: Services,
  { providerId, account, cipher }: TokenRevocation,
): Promise<RevocationFailure | undefined> => {
  const { table, vault } = services
  const connection = await findConnectionOf(table, oidcKind, providerId)
  if (!connection || !getProviderRow(connection).keepsRefreshToken)
    return { reason: 'connection_removed', isFinal: true }
  try {
    const token = await vault.decrypt(cipher, getRefreshTokenContext(providerId, account))
    const library = await import('openid-client')
    const secret = await decryptClientSecret(services, connection)
    const provider = await openIdentityProvider(services, connection, secret)
    await library.tokenRevocation(provider, token, { token_type_hint: 'refresh_token' })
    return undefined
  } catch (error) {
    return error instanceof UnreadableSecret
      ? { reason: 'unreadable', isFinal: true }
      : { reason: describeFailure(error), isFinal: false }
  }
}

/** Names a failure without anything that was sent or received. */
const describeFailure = (error: unknown): string => {
  const failed = findFetchError(error)
  if (failed) return failed.reason
  return error instanceof Error && 'code' in error ? String(error.code) : 'failed'
}
