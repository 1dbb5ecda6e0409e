import { type Claims, getClaim } from '../../lib/accounts/connections/claims.ts'
import { listHeldSteps, listRefusedSteps } from '../../lib/accounts/connections/oidc-diagnosis.ts'
import { type Received, receiveAnswer } from '../../lib/accounts/connections/receive-answer.ts'
import type { SAMLDiagnosis } from '../../lib/contract/models/saml-diagnosis.ts'
import { AppError } from '../../lib/errors/errors.ts'
import type { Attribute } from '../../lib/saml/assertion/read-assertion.ts'
import type { Services } from '../../lib/services.ts'
import type { OidcConnectionRecord } from '../../lib/store/connections/oidc-connections.ts'
import { checkAccount, findLinkedUser, toSubjectBody } from './diagnosis.ts'
import { storeTest } from './test-sign-in.ts'

/**
 * Checks the answer of a test sign-in and stores the result for administrators. No one is signed in. Returns where the
 * browser goes next: the page of the result in the console.
 */
export const completeOidcTest = async (
  services: Services,
  connection: OidcConnectionRecord,
  received: Received,
): Promise<string> => {
  const { state } = received.flow
  await storeTest(services, connection.id, state, await diagnoseAnswer(services, connection, received))
  return `${services.config.publicUrl}/admin#/oidc-connections/${connection.id}/tests/${state}`
}

const diagnoseAnswer = async (
  services: Services,
  connection: OidcConnectionRecord,
  received: Received,
): Promise<SAMLDiagnosis> => {
  let claims: Claims | undefined
  try {
    const assertion = await receiveAnswer(services, connection, received, (found) => {
      claims = found
    })
    const user = await findLinkedUser(services, connection, assertion)
    const account = checkAccount(services, connection, user)
    return {
      accepted: account.outcome === 'held',
      steps: [...listHeldSteps(), account],
      subject: toSubjectBody(
        connection,
        { ...assertion, attributes: listClaims(claims ?? {}) },
        user,
        assertion,
      ),
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { accepted: false, steps: listRefusedSteps(error, claims), subject: null }
  }
}

/** Claims about the token, and not about the person. */
const tokenClaims: ReadonlySet<string> = new Set([
  'iss',
  'aud',
  'azp',
  'iat',
  'nbf',
  'exp',
  'jti',
  'nonce',
  'at_hash',
  'c_hash',
  's_hash',
])

/** The claims about the person, as the identity provider sent them. */
const listClaims = (claims: Claims): readonly Attribute[] =>
  Object.keys(claims)
    .filter((name) => !tokenClaims.has(name))
    .map((name) => {
      const value = getClaim(claims, name)
      const values = (Array.isArray(value) ? value : [value]).map((one) =>
        typeof one === 'string' ? one : JSON.stringify(one),
      )
      return { name, friendlyName: null, values }
    })
