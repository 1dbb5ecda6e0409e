import { describe, expect, it } from 'vitest'
import { checks } from '../../../../lib/features/connections/saml/assertion/checks.ts'
import {
  diagnoseResponse,
  validateResponse,
} from '../../../../lib/features/connections/saml/assertion/validate-response.ts'
import type { Expectations } from '../../../../lib/features/connections/saml/assertion/validation-context.ts'
import { nameIdFormats, statuses } from '../../../support/idp/names.ts'
import { replaced } from '../../../support/idp/xml.ts'
import type { AnswerFacts } from '../../../support/idp.ts'
import { makeBench } from '../../../support/saml-bench.ts'

const bench = await makeBench()

interface InvalidResponse {
  readonly name: string
  readonly facts?: AnswerFacts | (() => AnswerFacts)
  /** Changes the posted text. */
  readonly posted?: (base64: string) => string
  readonly expected?: Partial<Expectations>
}

const xml = (change: (text: string) => string) => (base64: string) =>
  Buffer.from(change(Buffer.from(base64, 'base64').toString())).toString('base64')
const plain = (fact: keyof NonNullable<AnswerFacts['change']>, part: string | RegExp, by: string) => ({
  change: { [fact]: (text: string) => replaced(text, part, by) },
})
const inAssertion = (part: string | RegExp, by: string) => plain('assertion', part, by)
const fields = (count: number) => Array.from({ length: count }, (_, at) => `group-${at}`)

/** Invalid responses for each check. All other checks accept them. */
const invalidResponses: Readonly<Record<string, readonly InvalidResponse[]>> = {
  encoding: [
    { name: 'not base64', posted: () => '<samlp:Response/>' },
    { name: 'of the alphabet for URLs', posted: (text) => `${text.slice(0, 40)}-_${text.slice(42)}` },
    { name: 'cut off', posted: (text) => text.slice(0, -3) },
    { name: 'not UTF-8', posted: () => Buffer.from([0x3c, 0xff, 0xfe, 0x3e]).toString('base64') },
    { name: 'empty except for whitespace', posted: () => ' \n ' },
  ],
  xml: [
    { name: 'not well-formed', posted: xml((text) => text.replace('</samlp:Response>', '')) },
    { name: 'with a document type', posted: xml((text) => `<!DOCTYPE x>${text}`) },
    { name: 'with a second root', posted: xml((text) => text + text) },
    {
      name: 'with thousands of comments',
      posted: xml((text) => text.replace('</samlp:Status>', `${'<!---->'.repeat(501)}</samlp:Status>`)),
    },
  ],
  size: [
    { name: 'more than 500 values in one attribute', facts: { attributes: { groups: fields(501) } } },
    {
      name: 'more than 500 values in many',
      facts: { attributes: Object.fromEntries(fields(501).map((name) => [name, name])) },
    },
    {
      name: 'thousands of elements',
      facts: inAssertion('</saml:Conditions>', `${'<saml:OneTimeUse/>'.repeat(1600)}</saml:Conditions>`),
    },
  ],
  message: [
    {
      name: 'another message',
      posted: xml((text) => text.replaceAll('samlp:Response', 'samlp:LogoutResponse')),
    },
    {
      name: 'a bare assertion',
      posted: xml((text) => /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(text)?.[0] ?? ''),
    },
    {
      name: 'of another namespace',
      posted: xml((text) => text.replace('SAML:2.0:protocol', 'SAML:1.0:protocol')),
    },
  ],
  status: [
    { name: 'refused by the provider', facts: { response: { status: statuses.responder } } },
    {
      name: 'success below a failure',
      facts: { response: { status: statuses.requester, subStatus: statuses.success } },
    },
    { name: 'no status', facts: { response: { status: null } } },
  ],
  one_assertion: [
    { name: 'no assertion', facts: { change: { signedAssertion: () => '' } } },
    { name: 'two assertions', facts: { change: { signedAssertion: (text) => text + text } } },
    {
      name: 'one in extensions',
      facts: { change: { signedAssertion: (text) => `<samlp:Extensions>${text}</samlp:Extensions>` } },
    },
    {
      name: 'one in the advice of the other',
      facts: inAssertion(
        '<saml:AuthnStatement',
        '<saml:Advice><saml:Assertion/></saml:Advice><saml:AuthnStatement',
      ),
    },
  ],
  signed: [
    { name: 'nothing signed', facts: { sign: 'none' } },
    {
      name: 'a signature in the subject',
      facts: {
        ...inAssertion(
          '<saml:Subject>',
          '<saml:Subject><ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"/>',
        ),
      },
    },
    {
      name: 'two signatures of one assertion',
      facts: {
        change: {
          signedAssertion: (text) =>
            text.replace(/<ds:Signature[\s\S]*<\/ds:Signature>/, (found) => found + found),
        },
      },
    },
  ],
  algorithms: [
    { name: 'SHA-1 in the signature', facts: { signing: { method: 'rsa-sha1' } } },
    { name: 'SHA-1 in the digest', facts: { signing: { digest: 'sha1' } } },
    { name: 'MD5', facts: { signing: { digest: 'md5' } } },
    { name: 'HMAC', facts: () => ({ signing: { method: 'hmac-sha256', secret: bench.idp.signer.pem } }) },
    ...['urn:unknown', '__proto__', 'constructor', ''].flatMap((name): readonly InvalidResponse[] => [
      {
        name: `a signature by '${name}'`,
        facts: plain(
          'signedAssertion',
          /(<ds:SignatureMethod Algorithm=)"[^"]*"/,
          `<ds:SignatureMethod Algorithm="${name}"`,
        ),
      },
      {
        name: `a digest by '${name}'`,
        facts: plain(
          'signedAssertion',
          /<ds:DigestMethod Algorithm="[^"]*"/,
          `<ds:DigestMethod Algorithm="${name}"`,
        ),
      },
    ]),
    { name: 'no transforms', facts: plain('signedAssertion', /<ds:Transforms>.*<\/ds:Transforms>/, '') },
    {
      name: 'the signature left where it is',
      facts: plain('signedAssertion', /<ds:Transform Algorithm="[^"]*enveloped-signature"\/>/, ''),
    },
    {
      name: 'an unknown transform',
      facts: plain('signedAssertion', 'xmldsig#enveloped-signature', 'xmldsig#base64'),
    },
    {
      name: 'hundreds of transforms',
      facts: {
        change: {
          signedAssertion: (text) => text.replace(/<ds:Transform .*?\/>/, (found) => found.repeat(300)),
        },
      },
    },
    {
      name: 'two references',
      facts: {
        change: {
          signedAssertion: (text) =>
            text.replace(/<ds:Reference[\s\S]*<\/ds:Reference>/, (found) => found + found),
        },
      },
    },
  ],
  response_signature: [
    {
      name: 'changed afterwards',
      facts: { sign: 'response', change: { signedResponse: (text) => replaced(text, 'ada@', 'eve@') } },
    },
    {
      name: 'both, and that of the response broken',
      facts: {
        sign: 'both',
        change: {
          signedResponse: (text) =>
            text.replace('<samlp:Status>', '<samlp:Status >').replace('Version="2.0"', 'Version="2.1"'),
        },
      },
    },
  ],
  decryption: [],
  assertion_signature: [
    {
      name: 'changed afterwards',
      facts: { change: { signedAssertion: (text) => replaced(text, 'ada@', 'eve@') } },
    },
    {
      name: 'both, and that of the assertion broken',
      facts: { sign: 'both', change: { signedAssertion: (text) => replaced(text, 'ada@', 'eve@') } },
    },
    { name: 'without a known certificate', expected: { certificates: [] } },
  ],
  version: [
    { name: 'an assertion of 1.1', facts: { version: '1.1' } },
    { name: 'an assertion without a version', facts: { version: null } },
    { name: 'a response of 1.1', facts: { response: { version: '1.1' } } },
    { name: 'a response without a version', facts: { response: { version: null } } },
  ],
  issuer: [
    { name: 'an assertion of another issuer', facts: { issuer: 'https://evil.example' } },
    { name: 'an assertion without an issuer', facts: { issuer: null } },
    { name: 'a response of another issuer', facts: { response: { issuer: 'https://evil.example' } } },
    { name: 'a response without an issuer', facts: { response: { issuer: null } } },
    { name: 'an issuer with a longer name', facts: () => ({ issuer: `${bench.idp.entityId}/` }) },
  ],
  destination: [
    { name: 'elsewhere', facts: { response: { destination: 'https://evil.example/acs' } } },
    { name: 'nowhere', facts: { response: { destination: null } } },
    {
      name: 'to another provider here',
      facts: { response: { destination: 'https://auth.example.com/api/2/auth/saml/8/assertion' } },
    },
  ],
  issue_instant: [
    { name: 'an old assertion', facts: { times: { issued: -601 } } },
    { name: 'an old response', facts: { response: { issued: -601 } } },
    { name: 'an assertion of tomorrow', facts: { times: { issued: 90 } } },
    { name: 'a response of tomorrow', facts: { response: { issued: 90 } } },
    { name: 'no time', facts: inAssertion(/IssueInstant="[^"]*"/, '') },
    {
      name: 'a day that does not exist',
      facts: inAssertion(/IssueInstant="[^"]*"/, 'IssueInstant="2026-02-30T00:00:00Z"'),
    },
    {
      name: 'a time without a zone',
      facts: inAssertion(/IssueInstant="([^"]*)Z"/, 'IssueInstant="2026-01-01T00:00:00"'),
    },
  ],
  in_response_to: [
    { name: 'another request', facts: { response: { inResponseTo: '_other' } } },
    { name: 'no request', facts: { response: { inResponseTo: null } } },
  ],
  assertion_id: [
    { name: 'no id', facts: { ...inAssertion(/ ID="[^"]*"/, ''), sign: 'response' } },
    { name: 'an empty id', facts: { id: '', sign: 'response' } },
    ...['1digit', 'a~b', 'id:colon', 'a b', "it's", 'a\u200bb'].map(
      (id): InvalidResponse => ({ name: `an invalid XML ID: ${id}`, facts: { id, sign: 'response' } }),
    ),
    { name: 'a very long id', facts: { id: `_${'x'.repeat(300)}` } },
  ],
  name_id: [
    { name: 'none', facts: { nameIdXml: '' } },
    { name: 'an empty one', facts: { nameId: '' } },
    ...[' ada', 'ada ', '\nada', 'ada\n', '\n ada ', ' ada\n', '\n\u00a0ada\n', '\u00a0ada', '\ufeffada'].map(
      (nameId): InvalidResponse => ({
        name: `whitespace at the edge of ${JSON.stringify(nameId)}`,
        facts: { nameId },
      }),
    ),
    { name: 'only whitespace', facts: { nameId: '   ' } },
    { name: 'only indentation', facts: { nameId: '\n  \n' } },
    { name: 'two of them', facts: { nameIdXml: '<saml:NameID>a</saml:NameID><saml:NameID>b</saml:NameID>' } },
    { name: 'an element in it', facts: { nameIdXml: '<saml:NameID>ada<b>eve</b></saml:NameID>' } },
    { name: 'a BaseID', facts: { nameIdXml: '<saml:BaseID NameQualifier="x"/>' } },
    { name: 'invisible characters', facts: { nameId: 'ada\u200b@example.com' } },
    { name: 'a line end', facts: { nameId: 'ada\n@example.com' } },
    { name: 'a very long one', facts: { nameId: 'x'.repeat(1025) } },
  ],
  name_id_format: [{ name: 'transient', facts: { nameIdFormat: nameIdFormats.transient } }],
  confirmation: [
    { name: 'by a key', facts: { confirmationMethod: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' } },
    { name: 'of the sender', facts: { confirmationMethod: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' } },
    { name: 'none', facts: { confirmationXml: '' } },
    {
      name: 'without data',
      facts: {
        confirmationXml: '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"/>',
      },
    },
    {
      name: 'several without data',
      facts: {
        confirmationXml: '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"/>'.repeat(
          2,
        ),
      },
    },
    {
      name: 'data twice in one',
      facts: {
        change: {
          assertion: (text) =>
            text.replace(/<saml:SubjectConfirmationData[^>]*\/>/, (found) => found + found),
        },
      },
    },
  ],
  recipient: [
    { name: 'elsewhere', facts: { recipient: 'https://evil.example/acs' } },
    { name: 'nowhere', facts: { recipient: null } },
    {
      name: 'with another case',
      facts: { recipient: 'https://AUTH.example.com/api/2/auth/saml/7/assertion' },
    },
  ],
  confirmed_request: [
    { name: 'another one', facts: { inResponseTo: '_other' } },
    { name: 'none', facts: { inResponseTo: null } },
  ],
  confirmed_time: [
    { name: 'an expired one', facts: { times: { confirmationNotOnOrAfter: -61 } } },
    { name: 'without an end', facts: { times: { confirmationNotOnOrAfter: null } } },
    { name: 'one that is not valid yet', facts: { times: { confirmationNotBefore: 90 } } },
    {
      name: 'an invalid end',
      facts: inAssertion(
        /(SubjectConfirmationData[^>]*)NotOnOrAfter="[^"]*"/,
        'SubjectConfirmationData InResponseTo="_request" Recipient="https://auth.example.com/api/2/auth/saml/7/assertion" NotOnOrAfter="soon"',
      ),
    },
  ],
  conditions_time: [
    { name: 'an expired one', facts: { times: { notOnOrAfter: -61 } } },
    { name: 'one that is not valid yet', facts: { times: { notBefore: 90 } } },
    { name: 'no conditions', facts: inAssertion(/<saml:Conditions[\s\S]*<\/saml:Conditions>/, '') },
  ],
  conditions: [
    { name: 'an unknown condition', facts: { conditionsXml: '<saml:Condition xmlns:x="x" x:type="y"/>' } },
    { name: 'a condition of another namespace', facts: { conditionsXml: '<x:Only xmlns:x="urn:x"/>' } },
  ],
  audience: [
    { name: 'another service', facts: { audiences: ['https://elsewhere.example.com'] } },
    { name: 'no audience', facts: { audiences: null } },
    { name: 'an empty restriction', facts: { audiences: [] } },
    {
      name: 'this service in one restriction, but not in another',
      facts: {
        conditionsXml:
          '<saml:AudienceRestriction><saml:Audience>x</saml:Audience></saml:AudienceRestriction>',
      },
    },
  ],
  authn_statement: [
    { name: 'none', facts: { hasAuthnStatement: false } },
    { name: 'without a time', facts: { times: { authenticated: null } } },
    { name: 'a time in the future', facts: { times: { authenticated: 65 } } },
    {
      name: 'two of them, one without a time',
      facts: inAssertion('<saml:AuthnStatement', '<saml:AuthnStatement/><saml:AuthnStatement'),
    },
  ],
  session_end: [
    { name: 'an expired one', facts: { times: { sessionNotOnOrAfter: -61 } } },
    { name: 'no time', facts: inAssertion(/SessionNotOnOrAfter="[^"]*"/, 'SessionNotOnOrAfter="never"') },
  ],
  force_authn: [
    {
      name: 'yesterday’s sign-in although ForceAuthn was requested',
      facts: { times: { authenticated: -86_400 } },
      expected: { request: { id: '_request', forceAuthn: true, sentAt: Date.now() } },
    },
  ],
  authn_context: [
    {
      name: 'another way of signing in than the connection requires',
      facts: {},
      expected: { isAuthnContextEnough: () => false },
    },
  ],
  attributes: [
    {
      name: 'an encrypted attribute',
      facts: inAssertion(
        '</saml:Assertion>',
        '<saml:AttributeStatement><saml:EncryptedAttribute/></saml:AttributeStatement></saml:Assertion>',
      ),
    },
  ],
  second_verifier: [
    {
      name: 'conditions of another namespace next to those of SAML',
      facts: inAssertion('</saml:Conditions>', '</saml:Conditions><x:Conditions xmlns:x="urn:x"/>'),
    },
    {
      name: 'an attribute without a name',
      facts: {
        attributesXml: '<saml:Attribute><saml:AttributeValue>x</saml:AttributeValue></saml:Attribute>',
      },
    },
  ],
}

const createForm = async ({
  facts = {},
  posted = (text: string) => text,
}: InvalidResponse): Promise<string> =>
  posted(await bench.posted(typeof facts === 'function' ? facts() : facts))

it('the test data has an invalid response for every check', () => {
  const covered = [
    ...Object.keys(invalidResponses).filter((name) => (invalidResponses[name] ?? []).length > 0),
    'decryption',
  ]
  expect(covered.sort()).toEqual(checks.map(({ name }) => name).sort())
})

it('every check has a statement and the clause that requires it', () => {
  for (const { statement, clause } of checks) {
    expect(statement).toMatch(/^[A-Z].*\.$/)
    expect(clause).not.toBe('')
  }
})

describe.each(Object.entries(invalidResponses).filter(([, found]) => found.length > 0))(
  'the check %s',
  (check, found) => {
    it.each(found)('rejects $name', async (invalid) => {
      const form = await createForm(invalid)
      const received = await validateResponse(form, bench.expected(invalid.expected))
      expect('refusal' in received ? received.refusal : received).toMatchObject({
        reason: check,
        finding: { problem: expect.stringMatching(/^[A-Z].*\.$/), remedy: expect.stringMatching(/^[A-Z]/) },
      })
      const { outcomes, assertion } = await diagnoseResponse(form, bench.expected(invalid.expected))
      expect(outcomes.find(({ outcome }) => outcome === 'failed')?.check.name).toBe(check)
      expect(assertion).toBeUndefined()
    })
  },
)

describe('a valid response', () => {
  it.each<{ name: string; facts: AnswerFacts; expected?: Partial<Expectations> }>([
    { name: 'with a signed assertion', facts: {} },
    { name: 'with a signed response', facts: { sign: 'response' } },
    { name: 'with two signatures', facts: { sign: 'both' } },
    { name: 'with SHA-512', facts: { signing: { method: 'rsa-sha512', digest: 'sha512' } } },
    { name: 'with SHA-384', facts: { signing: { method: 'rsa-sha384', digest: 'sha384' } } },
    { name: 'with SHA-256 and a SHA-384 digest', facts: { signing: { digest: 'sha384' } } },
    { name: 'with PSS', facts: { signing: { method: 'rsa-pss-sha256' } } },
    ...['A.b-c_d', 'Ünï', '_'.repeat(255)].map((id) => ({
      name: `with the ID ${id}`,
      facts: { id },
    })),
    { name: 'with an indented name', facts: { nameId: '\n    ada@example.com\n\t' } },
    {
      name: 'with control characters that XML allows',
      facts: { attributes: { displayName: 'a\u007fb\u0080c\u009fd' } },
    },
    { name: 'without KeyInfo', facts: { signing: { keyInfo: 'none' } } },
    { name: 'at the last second', facts: { times: { notOnOrAfter: -55, confirmationNotOnOrAfter: -55 } } },
    {
      name: 'from a clock that is fast',
      facts: { times: { issued: 55, notBefore: 55 }, response: { issued: 55 } },
    },
    { name: 'after ten minutes', facts: { times: { issued: -590 }, response: { issued: -590 } } },
    {
      name: 'with further audiences',
      facts: {
        audiences: ['https://other.example.com', 'https://auth.example.com/api/2/auth/saml/7/metadata'],
      },
    },
    { name: 'without a session end', facts: { times: { sessionNotOnOrAfter: null } } },
    { name: 'with OneTimeUse', facts: { conditionsXml: '<saml:OneTimeUse/>' } },
    { name: 'with 500 values', facts: { attributes: { groups: fields(500) } } },
    {
      name: 'without an expected request',
      facts: { inResponseTo: '_other', response: { inResponseTo: '_other' } },
      expected: { request: undefined },
    },
  ])('is accepted $name', async ({ facts, expected }) => {
    const received = await validateResponse(await bench.posted(facts), bench.expected(expected))
    expect(received).toHaveProperty('assertion.subject.nameId', 'ada@example.com')
    const { outcomes } = await diagnoseResponse(await bench.posted(facts), bench.expected(expected))
    expect(outcomes.filter(({ outcome }) => outcome !== 'held')).toEqual([])
  })

  it('is read only from signed octets', async () => {
    const posted = await bench.posted({
      change: {
        assertion: (text) => replaced(text, 'ada@example.com', 'ada@example.com<!-- x -->.evil.example'),
      },
    })
    const received = await validateResponse(posted, bench.expected())
    // The whole text is read, and not only the part before the comment.
    expect(received).toHaveProperty('assertion.subject.nameId', 'ada@example.com.evil.example')
  })

  it('returns all the content that sign-in needs', async () => {
    const facts: AnswerFacts = {
      id: '_one',
      nameIdFormat: nameIdFormats.persistent,
      nameQualifier: 'https://upstream.example.com',
      sessionIndex: 'session-1',
      attributes: { mail: 'ada@example.com', groups: ['a', ' b ', ''] },
      attributesXml:
        '<saml:Attribute Name="x" FriendlyName="y"><saml:AttributeValue><saml:NameID>z</saml:NameID></saml:AttributeValue></saml:Attribute>',
    }
    expect(await validateResponse(await bench.posted(facts), bench.expected())).toEqual({
      assertion: {
        id: '_one',
        authnContexts: ['urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'],
        issuedAt: expect.any(Number),
        authenticatedAt: expect.any(Number),
        usableUntil: expect.any(Number),
        sessionEndsAt: expect.any(Number),
        subject: {
          nameId: 'ada@example.com',
          nameIdFormat: nameIdFormats.persistent,
          nameQualifier: 'https://upstream.example.com',
          spNameQualifier: null,
          sessionIndex: 'session-1',
        },
        identifier: null,
        attributes: [
          { name: 'mail', friendlyName: null, values: ['ada@example.com'] },
          { name: 'groups', friendlyName: null, values: ['a', 'b'] },
          { name: 'x', friendlyName: 'y', values: [] },
        ],
      },
    })
  })
})

describe('a response with several problems', () => {
  it('gets all problems from the diagnosis, and the first from the validation', async () => {
    const posted = await bench.posted({ audiences: ['x'], recipient: 'y', issuer: 'z' })
    const { outcomes } = await diagnoseResponse(posted, bench.expected())
    const failed = outcomes.flatMap(({ check, outcome }) => (outcome === 'failed' ? [check.name] : []))
    expect(failed).toEqual(['issuer', 'recipient', 'audience'])
    expect(await validateResponse(posted, bench.expected())).toHaveProperty('refusal.reason', 'issuer')
  })

  it('gets different findings for a missing and an invalid ID', async () => {
    const findProblem = async (id: string) => {
      const received = await validateResponse(await bench.posted({ id, sign: 'response' }), bench.expected())
      return 'refusal' in received ? received.refusal.finding.problem : undefined
    }
    expect(await findProblem('')).toBe('The assertion has no ID.')
    expect(await findProblem('1digit')).toContain('not a valid XML ID')
  })

  it('is not checked any further after a gate fails', async () => {
    const { outcomes } = await diagnoseResponse(
      await bench.posted({ sign: 'none', audiences: ['x'] }),
      bench.expected(),
    )
    expect(outcomes.find(({ check }) => check.name === 'audience')?.outcome).toBe('skipped')
  })
})
