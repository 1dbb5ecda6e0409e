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

/** How a response differs from a valid one: in its content, in its signatures, or by a change of its XML. */
export interface AnswerFacts extends AssertionFacts {
  readonly response?: ResponseFacts
  /** The signed elements. Default: the assertion. */
  readonly sign?: 'assertion' | 'response' | 'both' | 'none'
  readonly signing?: SigningFacts
  readonly encrypt?: EncryptionFacts
  readonly change?: {
    /** Changes the assertion before it is signed. */
    readonly assertion?: Change
    /** Changes the assertion after it is signed and before it is encrypted. */
    readonly signedAssertion?: Change
    /** Changes the response with the assertion before the response is signed. */
    readonly response?: Change
    /** Changes the complete response. */
    readonly signedResponse?: Change
  }
}

/** The form fields that a browser posts to the service. */
export interface AnswerForm {
  readonly SAMLResponse: string
  readonly RelayState?: string
}

export interface SignInAnswer {
  readonly xml: string
  readonly form: AnswerForm
}

/**
 * An identity provider for tests. It shares no code with the service: it writes messages from the specifications, and it
 * verifies messages of the service with its own code. Its only state is its signing key.
 */
export class TestIdp {
  readonly entityId: string
  readonly ssoUrl: string
  readonly sloUrl: string
  /** The current signing certificate and key. */
  signer: TestCertificate

  constructor(signer: TestCertificate, name: string) {
    this.signer = signer
    this.entityId = `https://${name}.example.com/metadata`
    this.ssoUrl = `https://${name}.example.com/sso`
    this.sloUrl = `https://${name}.example.com/slo`
  }

  /** Returns the request body that adds this provider to the service. */
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

  /** Reads a redirect of the service. @throws Error unless it is signed with one of these certificates. */
  read(location: string, certificates: readonly string[]): ReceivedMessage {
    return readRedirect(location, certificates)
  }

  /** Returns what a response to this sign-in request has to refer to. */
  targetOf(request: ReceivedMessage): SignInTarget {
    return {
      requestId: request.id,
      acsUrl: request.root.attributes['AssertionConsumerServiceURL'] ?? '',
      audience: request.issuer,
      relayState: request.relayState,
    }
  }

  /** Creates a response to a sign-in. */
  async answer(target: SignInTarget, facts: AnswerFacts = {}): Promise<SignInAnswer> {
    const { sign = 'assertion', change = {} } = facts
    const keep: Change = (xml) => xml
    const signElement = (xml: string, xpath: string): string =>
      signXml(xml, xpath, this.signer, facts.signing)
    const plain = (change.assertion ?? keep)(assertionXml(this.entityId, target, facts))
    const withSignature = sign === 'assertion' || sign === 'both' ? signElement(plain, '/*') : plain
    const assertion = (change.signedAssertion ?? keep)(withSignature)
    const content = facts.encrypt ? await encryptAssertion(assertion, facts.encrypt) : assertion
    const response = (change.response ?? keep)(responseXml(this.entityId, target, content, facts.response))
    const complete = sign === 'response' || sign === 'both' ? signElement(response, '/*') : response
    const xml = (change.signedResponse ?? keep)(complete)
    return { xml, form: formOf(xml, target.relayState) }
  }

  /** Creates the redirect parameters of a logout request to the service. */
  logoutRequest(
    address: string,
    facts: LogoutRequestFacts & { readonly redirect?: RedirectFacts } = {},
  ): RawParameters {
    const xml = logoutRequestXml(this.entityId, address, facts)
    return redirectParameters('SAMLRequest', xml, this.signer, facts.redirect)
  }

  /** Creates the redirect parameters of a response to a logout request of the service. */
  logoutResponse(
    address: string,
    requestId: string | null,
    facts: LogoutResponseFacts & { readonly redirect?: RedirectFacts } = {},
  ): RawParameters {
    const xml = logoutResponseXml(this.entityId, address, requestId, facts)
    return redirectParameters('SAMLResponse', xml, this.signer, facts.redirect)
  }
}

/** Creates the form for a response, without changing it. */
export const formOf = (xml: string, relayState: string | undefined): AnswerForm => ({
  SAMLResponse: Buffer.from(xml).toString('base64'),
  ...(relayState !== undefined && { RelayState: relayState }),
})

/** Creates an identity provider with a unique name and its own key. */
export const makeIdp = async (signer?: TestCertificate): Promise<TestIdp> =>
  new TestIdp(signer ?? (await makeCertificate({ name: 'idp' })), `idp-${randomUUID().slice(0, 8)}`)
