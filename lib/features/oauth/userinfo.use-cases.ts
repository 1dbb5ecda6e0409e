import type { UseCase } from '../../http/use-case.ts'
import { getUserinfoAudience } from '../../kernel/settings/jwt-audiences.ts'
import { proofAlgorithms, proofWindowSeconds, verifyDpopProof } from '../../middleware/dpop-proof.ts'
import type { Services } from '../../services.ts'
import { buildScopeClaims } from './claims.ts'
import { listPageOrigins } from './client-uris.ts'
import { findTokenSubject } from './find-token-subject.ts'
import type { OAuthError } from './flow.models.ts'
import type { oidc } from './operations.ts'
import { providerPaths } from './provider/provider-paths.ts'
import { buildUserClaims } from './tokens/claims.ts'
import { type AccessTokenClaims, verifyAccessToken } from './tokens/verify-access-token.ts'
import { Userinfo } from './tokens.models.ts'
import { noteProof } from './tokens.records.ts'

/** Returns the claims that the scopes of an access token allow, as they are now (OpenID Connect Core 5.3). */
export const getUserinfo: UseCase<typeof oidc.getUserinfo> = (
  { authorizationHeader = '', dpopHeader },
  services,
) => answer(services, 'GET', readSentToken(authorizationHeader, dpopHeader))

/** The same, where the form can contain the access token (RFC 6750 2.2). */
export const getUserinfoByForm: UseCase<typeof oidc.getUserinfoByForm> = async (
  { authorizationHeader = '', dpopHeader, body },
  services,
) => {
  const sent = readSentToken(authorizationHeader, dpopHeader)
  const posted = body.access_token
  // RFC 6750 2: a request has one of them.
  if (sent !== undefined && posted !== undefined)
    return refuse(400, 'invalid_request', 'Send the access token once, in the header or in the form.')
  const token = posted === undefined ? undefined : { token: posted, isProven: false, proof: undefined }
  return answer(services, 'POST', sent ?? token)
}

type UserinfoReply = Shown | Refusal<401> | Refusal<403>

interface Shown {
  readonly status: 200
  readonly body: Userinfo
  readonly readableFrom: readonly string[]
}

interface Refusal<Status extends number> {
  readonly status: Status
  readonly headers: Readonly<Record<string, string>>
  readonly body: OAuthError
}

const answer = async (
  services: Services,
  method: 'GET' | 'POST',
  sent: SentToken | undefined,
): Promise<UserinfoReply> => {
  // RFC 6750 3.1: without a token there is no error code in the header.
  if (sent === undefined) return refuse(401, 'invalid_token', 'Send an access token.', 'Bearer')
  // A server that got a token for itself must not read userinfo with it (RFC 9068 4).
  const audience = getUserinfoAudience(services.config.publicUrl)
  const claims = await verifyAccessToken(services, sent.token, [audience])
  const url = `${services.config.publicUrl}${providerPaths.userinfo}`
  if (claims && !(await isSentByOwner(services, claims, sent, { method, url }))) return refuseProof()
  const subject = claims && (await findTokenSubject(services, claims))
  if (!subject)
    return refuse(401, 'invalid_token', 'The access token is not valid for userinfo, or has ended.')
  const { principal, rights } = subject
  if (!rights?.scopes.includes('openid'))
    return refuse(403, 'insufficient_scope', 'The access token lacks the scope openid.')
  const stated = await buildUserClaims(services, principal)
  const described = { principal, claims: stated, place: 'userinfo' } as const
  const shown = await buildScopeClaims(services, described, rights)
  return { status: 200, body: Userinfo.parse(shown), readableFrom: listPageOrigins(rights.client) }
}

/** RFC 9449 7.1. */
const refuseProof = () => {
  const description = 'The access token needs the scheme DPoP and a new proof of its key, or has no key.'
  const algorithms = `algs="${proofAlgorithms.join(' ')}"`
  const error = 'invalid_dpop_proof'
  const challenge = `DPoP error="${error}", error_description="${description}", ${algorithms}`
  return refuse(401, error, description, challenge)
}

/** RFC 6750 3. */
const refuse = <Status extends 400 | 401 | 403>(
  status: Status,
  error: string,
  description: string,
  challenge = `Bearer error="${error}", error_description="${description}"`,
): Refusal<Status> => ({
  status,
  headers: { 'www-authenticate': challenge },
  body: { error, error_description: description },
})

/** An access token as a request has it. */
interface SentToken {
  readonly token: string
  /** Whether the request claims to prove the key of the token (RFC 9449 7.1). */
  readonly isProven: boolean
  /** The header `DPoP`. */
  readonly proof: string | undefined
}

/** Reads a header `Authorization` with an access token. */
const readSentToken = (header: string, proof: string | undefined): SentToken | undefined => {
  const [, scheme = '', token] = /^(Bearer|DPoP) +(\S+)$/i.exec(header) ?? []
  return token === undefined ? undefined : { token, isProven: scheme.toLowerCase() === 'dpop', proof }
}

/**
 * Whether a request may use its access token: one that is bound to a key needs a proof of that key, for this request, for the
 * first time. Takes a table call for such a token.
 */
const isSentByOwner = async (
  { table, now }: Pick<Services, 'table' | 'now'>,
  { cnf, client_id: clientId }: Pick<AccessTokenClaims, 'cnf' | 'client_id'>,
  { token, isProven, proof = '' }: SentToken,
  request: { readonly method: string; readonly url: string },
): Promise<boolean> => {
  if (!cnf || !isProven) return !cnf && !isProven
  const jti = await verifyDpopProof(proof, { ...request, token, thumbprint: cnf.jkt }, now())
  if (jti === undefined) return false
  // A proof works as long before its time as after it.
  return noteProof(table, 'dpop', { clientId, jti }, now() + 2 * proofWindowSeconds * 1000)
}
