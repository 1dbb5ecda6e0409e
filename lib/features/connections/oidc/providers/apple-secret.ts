import { importPKCS8, SignJWT } from 'jose'
import type { OidcConnection } from '../records.ts'

const algorithm = 'ES256'

/** How long a client secret is valid. Apple allows six months. */
const lifetimeSeconds = 300

/** Whether a text is a private key as Apple gives it: PKCS #8 in PEM, for the curve P-256. */
export const isAppleKey = (pem: string): Promise<boolean> =>
  importPKCS8(pem, algorithm).then(
    () => true,
    () => false,
  )

/**
 * Makes the client secret of one token request from the private key of a connection, as "Creating a client secret" at
 * developer.apple.com/documentation/accountorganizationaldatasharing describes it.
 */
export const createAppleSecret = async (
  connection: Pick<OidcConnection, 'issuer' | 'client_id' | 'apple_team_id' | 'apple_key_id'>,
  pem: string,
  nowMs: number,
): Promise<string> => {
  const { issuer, client_id, apple_team_id: team, apple_key_id: kid } = connection
  const issuedAt = Math.floor(nowMs / 1000)
  return new SignJWT()
    .setProtectedHeader({ alg: algorithm, kid: kid ?? '' })
    .setIssuer(team ?? '')
    .setSubject(client_id)
    .setAudience(issuer)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .sign(await importPKCS8(pem, algorithm))
}
