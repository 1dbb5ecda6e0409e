import { randomUUID } from 'node:crypto'
import { makeCertificate, type TestCertificate } from './certificates.ts'
import {
  type AssertionFacts,
  assertionXml,
  type ResponseFacts,
  responseXml,
  type SignInTarget,
} from './idp/assertion.ts'
import { type EncryptionFacts, encryptAssertion } from './idp/encrypt.ts'
import {
  type LogoutRequestFacts,
  type LogoutResponseFacts,
  logoutRequestXml,
  logoutResponseXml,
} from './idp/logout.ts'
import {
  type RawParameters,
  type ReceivedMessage,
  type RedirectFacts,
  readRedirect,
  redirectParameters,
} from './idp/redirect.ts'
import { type SigningFacts, signXml } from './idp/sign.ts'

type Change = (xml: string) => string

/** How an answer to a sign-in differs from a good one: by what it says, how it is signed, or a change of its XML. */
export interface AnswerFacts extends AssertionFacts {
  readonly response?: ResponseFacts
  /** What is signed; the assertion when left out. */
  readonly sign?: 'assertion' | 'response' | 'both' | 'none'
  readonly signing?: SigningFacts
  readonly encrypt?: EncryptionFacts
  readonly change?: {
    /** The assertion before it is signed. */
    readonly assertion?: Change
    /** The same after it, and before it is encrypted. */
    readonly signedAssertion?: Change
    /** The response with the assertion in it, before it is signed itself. */
    readonly response?: Change
    /** All of it, at last. */
    readonly signedResponse?: Change
  }
}

/** The form that a browser posts to the service. */
export interface AnswerForm {
  readonly SAMLResponse: string
  readonly RelayState?: string
}

export interface SignInAnswer {
  readonly xml: string
  readonly form: AnswerForm
}

/**
 * An identity provider for tests. It shares no code with the service: what it writes comes from the specifications,
 * and what it reads it verifies itself. It keeps no state but the key that it signs with.
 */
export class TestIdp {
  readonly entityId: string
  readonly ssoUrl: string
  readonly sloUrl: string
  /** What it signs with now. */
  signer: TestCertificate

  constructor(signer: TestCertificate, name: string) {
    this.signer = signer
    this.entityId = `https://${name}.example.com/metadata`
    this.ssoUrl = `https://${name}.example.com/sso`
    this.sloUrl = `https://${name}.example.com/slo`
  }

  /** The body that adds it to the service as a provider. */
  providerBody(fields: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
    return {
      entity_id: this.entityId,
      sso_url: this.ssoUrl,
      slo_url: this.sloUrl,
      certificate: this.signer.pem,
      auto_create_users: true,
      ...fields,
    }
  }

  /** Reads what the service sent by redirect. @throws Error unless it is signed by one of these certificates. */
  read(location: string, certificates: readonly string[]): ReceivedMessage {
    return readRedirect(location, certificates)
  }

  /** What a sign-in request asks to be answered. */
  targetOf(request: ReceivedMessage): SignInTarget {
    return {
      requestId: request.id,
      acsUrl: request.root.attributes['AssertionConsumerServiceURL'] ?? '',
      audience: request.issuer,
      relayState: request.relayState,
    }
  }

  /** Answers a sign-in. */
  async answer(target: SignInTarget, facts: AnswerFacts = {}): Promise<SignInAnswer> {
    const { sign = 'assertion', change = {} } = facts
    const same: Change = (xml) => xml
    const signed = (xml: string, xpath: string): string => signXml(xml, xpath, this.signer, facts.signing)
    const plain = (change.assertion ?? same)(assertionXml(this.entityId, target, facts))
    const withSignature = sign === 'assertion' || sign === 'both' ? signed(plain, '/*') : plain
    const assertion = (change.signedAssertion ?? same)(withSignature)
    const content = facts.encrypt ? await encryptAssertion(assertion, facts.encrypt) : assertion
    const response = (change.response ?? same)(responseXml(this.entityId, target, content, facts.response))
    const complete = sign === 'response' || sign === 'both' ? signed(response, '/*') : response
    const xml = (change.signedResponse ?? same)(complete)
    return { xml, form: formOf(xml, target.relayState) }
  }

  /** Asks the service to end sessions: the parameters of the redirect. */
  logoutRequest(
    address: string,
    facts: LogoutRequestFacts & { readonly redirect?: RedirectFacts } = {},
  ): RawParameters {
    const xml = logoutRequestXml(this.entityId, address, facts)
    return redirectParameters('SAMLRequest', xml, this.signer, facts.redirect)
  }

  /** Answers a logout request of the service. */
  logoutResponse(
    address: string,
    requestId: string | null,
    facts: LogoutResponseFacts & { readonly redirect?: RedirectFacts } = {},
  ): RawParameters {
    const xml = logoutResponseXml(this.entityId, address, requestId, facts)
    return redirectParameters('SAMLResponse', xml, this.signer, facts.redirect)
  }
}

/** The form for a response as it is. */
export const formOf = (xml: string, relayState: string | undefined): AnswerForm => ({
  SAMLResponse: Buffer.from(xml).toString('base64'),
  ...(relayState === undefined ? {} : { RelayState: relayState }),
})

/** An identity provider with a name and a key of its own. */
export const makeIdp = async (signer?: TestCertificate): Promise<TestIdp> =>
  new TestIdp(signer ?? (await makeCertificate({ name: 'idp' })), `idp-${randomUUID().slice(0, 8)}`)
