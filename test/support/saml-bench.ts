import { createPrivateKey } from 'node:crypto'
import type { Expectations } from '../../lib/features/connections/saml/assertion/validation-context.ts'
import { readCertificates } from '../../lib/features/connections/saml/certificates.ts'
import { makeCertificate, type TestCertificate } from './certificates.ts'
import type { SignInTarget } from './idp/assertion.ts'
import { type AnswerFacts, makeIdp, type TestIdp } from './idp.ts'

/** Everything that the checks need to check a response without a service. */
export interface Bench {
  readonly idp: TestIdp
  readonly own: TestCertificate
  readonly target: SignInTarget
  readonly expected: (changes?: Partial<Expectations>) => Expectations
  /** Creates the form field that a browser would post. */
  readonly posted: (facts?: AnswerFacts) => Promise<string>
}

export const makeBench = async (): Promise<Bench> => {
  const idp = await makeIdp()
  const own = await makeCertificate({ name: 'service' })
  const assertionUrl = 'https://auth.example.com/api/2/auth/saml/7/assertion'
  const serviceEntityId = 'https://auth.example.com/api/2/auth/saml/7/metadata'
  const target = { requestId: '_request', acsUrl: assertionUrl, audience: serviceEntityId }
  const { certificates } = readCertificates(idp.signer.pem)
  return {
    idp,
    own,
    target,
    expected: (changes = {}) => ({
      nowMs: Date.now(),
      nameIdAttribute: null,
      serviceEntityId,
      assertionUrl,
      certificates,
      isAuthnContextEnough: () => true,
      providerEntityId: idp.entityId,
      decryptionKeys: async () => [createPrivateKey(own.keyPem)],
      request: { id: '_request', forceAuthn: false, sentAt: Date.now() },
      ...changes,
    }),
    posted: async (facts = {}) => (await idp.answer(target, facts)).form.SAMLResponse,
  }
}
