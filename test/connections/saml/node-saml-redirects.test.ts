import { SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import { describe, expect, it } from 'vitest'
import { makeCertificate } from '../../support/certificates.ts'
import { logoutRequestXml, logoutResponseXml } from '../../support/idp/logout.ts'
import { statuses } from '../../support/idp/names.ts'
import {
  queryOf,
  type RawParameters,
  type RedirectFacts,
  redirectParameters,
} from '../../support/idp/redirect.ts'

/*
 * Why node-saml does not verify logout messages a second time. When one of these tests fails after an update, read
 * docs/decisions/0017-verify-saml-responses-twice.md again.
 */

const signer = await makeCertificate()

const sloUrl = 'https://sp.example.com/slo'
const requestXml = logoutRequestXml('https://idp.example.com', sloUrl, { id: '_1' })

/** Validates a query with node-saml and all its checks turned on. */
const accepts = async (parameters: RawParameters, query = queryOf(parameters), pem = signer.pem) => {
  const verifier = new SAML({
    idpCert: pem,
    issuer: 'https://sp.example.com',
    callbackUrl: 'https://sp.example.com/acs',
    idpIssuer: 'https://idp.example.com',
    validateInResponseTo: ValidateInResponseTo.never,
  })
  const container = Object.fromEntries(parameters.map(([name, value]) => [name, decodeURIComponent(value)]))
  return verifier.validateRedirectAsync(container, query).then(
    ({ loggedOut }) => loggedOut,
    () => false,
  )
}
const request = (facts: RedirectFacts = {}, by = signer) =>
  redirectParameters('SAMLRequest', requestXml, by, facts)

describe('node-saml as a verifier of redirect queries', () => {
  it('accepts an honest request', async () => {
    expect(await accepts(request({ relayState: 'x' }))).toBe(true)
    expect(await accepts(request({}, await makeCertificate()))).toBe(false)
  })

  it('accepts a request without a signature', async () => {
    expect(await accepts(request().filter(([name]) => name === 'SAMLRequest'))).toBe(true)
  })

  it('verifies one parameter and reads another one', async () => {
    const signed = request()
    const forged = redirectParameters('SAMLRequest', requestXml.replace('_1', '_2'), signer)[0] ?? ['', '']
    const decoy = queryOf(signed)
    expect(await accepts([...signed, forged], `${decoy}&${queryOf([forged])}`)).toBe(true)
  })

  it('rejects an honest request whose RelayState contains the name of a parameter', async () => {
    const relayState = 'https://sp.example.com/?SigAlg=x'
    expect(await accepts(request({ relayState }))).toBe(false)
  })

  it('rejects an honest request signed by an elliptic key', async () => {
    const elliptic = await makeCertificate({ curve: 'P-256' })
    const parameters = request({}, elliptic)
    expect(await accepts(parameters, queryOf(parameters), elliptic.pem)).toBe(false)
  })

  it('rejects an honest partial logout response', async () => {
    const answer = (status: string) =>
      redirectParameters(
        'SAMLResponse',
        logoutResponseXml('https://idp.example.com', sloUrl, '_1', { status }),
        signer,
      )
    expect(await accepts(answer(statuses.success))).toBe(true)
    expect(await accepts(answer(statuses.responder))).toBe(false)
  })
})
