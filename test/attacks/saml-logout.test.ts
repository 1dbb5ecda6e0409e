import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { TestBrowser } from '../support/browser.ts'
import { cpuMsOf, referenceMs } from '../support/cpu-time.ts'
import { authnRequestXml, type LogoutRequestFacts, logoutRequestXml } from '../support/idp/logout.ts'
import { type SignatureMethod, signatureMethods } from '../support/idp/names.ts'
import {
  queryOf,
  type RawParameters,
  type RedirectFacts,
  redirectParameters,
} from '../support/idp/redirect.ts'
import { signOctets } from '../support/idp/sign.ts'
import { replaced } from '../support/idp/xml.ts'
import { addPerson } from '../support/people.ts'
import { expectPlainRefusal } from '../support/refusals.ts'
import { seedSamlSession, userOfSession } from '../support/saml.ts'
import { useTwoProviders } from '../support/saml-attack.ts'

/*
 * Only the provider may end a user's session. Each test sends a message with exactly one flaw, expects a rejection and
 * an active session, and then sends the same message without the flaw, which ends the session.
 */

const { service, provider, other } = await useTwoProviders()

const victim = 'victim@example.com'

const victimsSession = async (nameId = victim): Promise<string> => {
  const { user } = await addPerson(service)
  return (await seedSamlSession(service, provider, user, { nameId })).value
}

const open = (query: string, at = provider) =>
  new TestBrowser(service).get(`${at.logoutReturnUrl}?${query}`, 'cross-site')

type Facts = LogoutRequestFacts & { readonly redirect?: RedirectFacts }

const parameters = (facts: Facts = {}, by = provider): RawParameters =>
  by.idp.logoutRequest(provider.logoutReturnUrl, { nameId: victim, ...facts })

/** Signs unusual XML that no product would write. */
const signed = (xml: string, facts: RedirectFacts = {}): RawParameters =>
  redirectParameters('SAMLRequest', xml, provider.idp.signer, facts)

const plainXml = (facts: LogoutRequestFacts = {}) =>
  logoutRequestXml(provider.idp.entityId, provider.logoutReturnUrl, { nameId: victim, ...facts })

/** Expects the attack to be rejected, and the same message without its flaw to be accepted. */
const attack = async (name: string, query: string, honest = queryOf(parameters())): Promise<void> => {
  const session = await victimsSession()
  expectPlainRefusal(await open(query), name)
  expect([name, await userOfSession(service, session)]).toEqual([name, expect.any(Number)])
  const taken = await open(honest)
  expect([name, taken.status]).toEqual([name, 303])
  expect([name, await userOfSession(service, session)]).toEqual([name, undefined])
}

const without = (all: RawParameters, ...names: readonly string[]): RawParameters =>
  all.filter(([name]) => !names.includes(name))
const withValue = (all: RawParameters, changed: string, value: string): RawParameters =>
  all.map(([name, written]) => [name, name === changed ? value : written])
const withRelayState = () => parameters({ redirect: { relayState: 'state' } })

describe('parameters of a logout message', () => {
  it('are rejected when they are missing', async () => {
    for (const names of [['Signature'], ['SigAlg'], ['Signature', 'SigAlg'], ['SAMLRequest']])
      await attack(`without ${names}`, queryOf(without(parameters(), ...names)))
    await attack('none at all', '')
  })

  it('are rejected when they are empty', async () => {
    for (const name of ['SAMLRequest', 'RelayState', 'SigAlg', 'Signature'])
      await attack(`empty ${name}`, queryOf(withValue(withRelayState(), name, '')))
    const all = parameters()
    await attack('empty RelayState besides', queryOf([...all, ['RelayState', '']]))
    await attack('a name without a value', `${queryOf(all)}&RelayState`)
    await attack('empty SAMLResponse besides', queryOf([...all, ['SAMLResponse', '']]))
  })

  it('are rejected when they are repeated, whichever one is meant', async () => {
    for (const [name, value] of withRelayState()) {
      for (const again of [value, 'x', ''])
        for (const all of [
          [...withRelayState(), [name, again] as const],
          [[name, again] as const, ...withRelayState()],
        ])
          await attack(`${name} twice`, queryOf(all))
    }
  })

  it('are rejected when they appear in a second spelling', async () => {
    const forged = encodeURIComponent(deflateRawSync(plainXml()).toString('base64'))
    const harmless = parameters({ nameId: 'unknown' })
    for (const spelling of ['SAML%52equest', '%53AMLRequest', 'SAMLR%65quest'])
      for (const all of [
        [...harmless, [spelling, forged] as const],
        [[spelling, forged] as const, ...harmless],
        [...without(harmless, 'SAMLRequest'), [spelling, forged] as const],
      ])
        await attack(spelling, queryOf(all))
  })

  it('are rejected when both kinds of message are present', async () => {
    const answer = provider.idp.logoutResponse(provider.logoutReturnUrl, '_x')
    await attack('both', queryOf([...parameters(), ...without(answer, 'SigAlg', 'Signature')]))
    await attack('both', queryOf([...without(parameters(), 'SigAlg', 'Signature'), ...answer]))
  })

  it('are rejected when they were changed after signing', async () => {
    const all = withRelayState()
    await attack('another RelayState', queryOf(withValue(all, 'RelayState', 'other')))
    await attack('no RelayState', queryOf(without(all, 'RelayState')))
    await attack('a RelayState', queryOf([...parameters(), ['RelayState', 'added']]))
    const sha512 = encodeURIComponent(signatureMethods['rsa-sha512'])
    await attack('another SigAlg', queryOf(withValue(all, 'SigAlg', sha512)))
    const other = parameters({ nameId: 'other' }).find(([name]) => name === 'SAMLRequest')?.[1] ?? ''
    await attack('another message', queryOf(withValue(all, 'SAMLRequest', other)))
    await attack('no signature but base64', queryOf(withValue(all, 'Signature', 'AAAA')))
    await attack('no base64', queryOf(withValue(all, 'Signature', '%00')))
    await attack('no UTF-8', queryOf(withValue(all, 'Signature', '%ff')))
  })

  it('may come in any order, but are signed in one', async () => {
    const [message, relayState, algorithm] = withRelayState()
    if (!message || !relayState || !algorithm) throw new Error('parameters are missing')
    for (const order of [
      [algorithm, relayState, message],
      [relayState, message, algorithm],
      [message, algorithm, relayState],
    ]) {
      const { keyPem } = provider.idp.signer
      const signature = encodeURIComponent(signOctets('rsa-sha256', queryOf(order), { keyPem }))
      const honest = withRelayState().toReversed()
      await attack('another order', queryOf([...order, ['Signature', signature]]), queryOf(honest))
    }
  })

  it('are ignored when they are unknown', async () => {
    const session = await victimsSession()
    expect((await open(`utm=1&${queryOf(parameters())}&__proto__=x&utm=1`)).status).toBe(400)
    expect((await open(`utm=1&${queryOf(parameters())}&__proto__=x`)).status).toBe(303)
    expect(await userOfSession(service, session)).toBeUndefined()
    await attack('encoding', `${queryOf(parameters())}&SAMLEncoding=urn%3Aother`)
  })
})

describe('signatures of a logout message', () => {
  it.each<[SignatureMethod, string]>([
    ['rsa-sha1', ''],
    ['rsa-md5', ''],
    ['rsa-pss-sha256', ''],
    ['hmac-sha1', 'pem'],
    ['hmac-sha256', 'pem'],
    ['hmac-sha256', 'base64'],
    ['hmac-sha256', ''],
  ])('by %s %s are rejected', async (method, form) => {
    const { pem, base64 } = provider.idp.signer
    const secret = form === 'pem' ? pem : form === 'base64' ? base64 : ''
    await attack(method, queryOf(parameters({ redirect: { method, secret } })))
  })

  it('with unknown algorithms are rejected', async () => {
    for (const name of ['none', '', '__proto__', 'constructor', 'toString', 'rsa-sha256', 'RSA-SHA256'])
      await attack(name, queryOf(withValue(parameters(), 'SigAlg', encodeURIComponent(name) || '%20')))
  })

  it('by anyone else are rejected, including other configured providers', async () => {
    await attack('another provider', queryOf(parameters({}, other)))
    await attack(
      'by another provider in the name of this one',
      queryOf(parameters({ redirect: { signer: other.idp.signer } })),
    )
    await attack('our own key', queryOf(parameters({ redirect: { signer: provider.own } })))
  })
})

describe('logout messages', () => {
  it('for another address are rejected', async () => {
    const wrong = [
      null,
      '',
      other.logoutReturnUrl,
      provider.logoutUrl,
      provider.assertionUrl,
      `${provider.logoutReturnUrl}/`,
      `${provider.logoutReturnUrl}?x`,
      provider.logoutReturnUrl.replace('https', 'http'),
      provider.logoutReturnUrl.toUpperCase(),
    ]
    for (const destination of wrong)
      await attack(`destination ${destination}`, queryOf(parameters({ destination })))
  })

  it('of another issuer are rejected', async () => {
    const issuers = [null, '', other.idp.entityId, ` ${provider.idp.entityId}`, provider.metadataUrl]
    for (const issuer of issuers) await attack(`issuer ${issuer}`, queryOf(parameters({ issuer })))
    const extraXml = `<saml:Issuer>${provider.idp.entityId}</saml:Issuer>`
    await attack('two issuers', queryOf(parameters({ extraXml })))
    await attack('two issuers', queryOf(parameters({ issuer: 'https://evil.example', extraXml })))
  })

  it('that are too old or too new are rejected, with a tolerance of one minute', async () => {
    await attack('old', queryOf(parameters({ issued: -690 })), queryOf(parameters({ issued: -630 })))
    await attack('ahead', queryOf(parameters({ issued: 90 })), queryOf(parameters({ issued: 30 })))
    await attack(
      'expired',
      queryOf(parameters({ notOnOrAfter: -90 })),
      queryOf(parameters({ notOnOrAfter: -30 })),
    )
    for (const written of ['', 'yesterday', '2026-02-31T00:00:00Z', '2026-01-01T00:00:00', '9e99'])
      for (const name of ['IssueInstant', 'NotOnOrAfter']) {
        const xml = replaced(plainXml(), new RegExp(` ${name}="[^"]*"`), ` ${name}="${written}"`)
        await attack(`${name} ${written}`, queryOf(signed(xml)))
      }
    await attack('no time', queryOf(signed(replaced(plainXml(), / IssueInstant="[^"]*"/, ''))))
    const session = await victimsSession()
    expect((await open(queryOf(parameters({ notOnOrAfter: null })))).status).toBe(303)
    expect(await userOfSession(service, session)).toBeUndefined()
  })

  it('of another version or without an ID are rejected', async () => {
    for (const version of [null, '1.1', '2', '2.00'])
      await attack(`version ${version}`, queryOf(parameters({ version })))
    for (const id of ['', ' ', '1', 'a b', 'x'.repeat(300)])
      await attack(`id ${id}`, queryOf(parameters({ id })))
  })

  it('of another kind are rejected', async () => {
    const answer = provider.idp.logoutResponse(provider.logoutReturnUrl, '_x')
    const renamed = (name: string) => plainXml().replaceAll('samlp:LogoutRequest', name)
    await attack('an answer to nothing', queryOf(answer))
    for (const name of ['samlp:LogoutResponse', 'samlp:Response', 'saml:LogoutRequest', 'LogoutRequest'])
      await attack(name, queryOf(signed(renamed(name))))
    await attack(
      'an AuthnRequest',
      queryOf(signed(authnRequestXml(provider.idp.entityId, provider.logoutReturnUrl))),
    )
    await attack(
      'a request in place of a response',
      queryOf(redirectParameters('SAMLResponse', plainXml(), provider.idp.signer)),
    )
  })

  it('are rejected when they are replayed, even with other content', async () => {
    const first = queryOf(parameters({ id: '_replayed' }))
    const before = await victimsSession()
    expect((await open(first)).status).toBe(303)
    expect(await userOfSession(service, before)).toBeUndefined()
    await attack('replayed', first)
    await attack('its id again', queryOf(parameters({ id: '_replayed', issued: 1 })))
  })

  it('count once in twenty concurrent deliveries', async () => {
    const query = queryOf(parameters())
    const answers = await Promise.all(Array.from({ length: 20 }, () => open(query)))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19)
  })

  it('at the address of another provider end no session at either', async () => {
    const session = await victimsSession()
    const query = queryOf(parameters())
    expectPlainRefusal(await open(query, other), 'another provider')
    expect(await userOfSession(service, session)).toBeDefined()
    const own = queryOf(other.idp.logoutRequest(other.logoutReturnUrl, { nameId: victim }))
    expect((await open(own, other)).status).toBe(303)
    expect(await userOfSession(service, session)).toBeDefined()
    expect((await open(query)).status).toBe(303)
    expect(await userOfSession(service, session)).toBeUndefined()
  })

  it('by POST are rejected, because only the redirect binding is supported', async () => {
    const session = await victimsSession()
    const form = Object.fromEntries(parameters().map(([name, value]) => [name, decodeURIComponent(value)]))
    const posted = await new TestBrowser(service).post(provider.logoutReturnUrl, form)
    expect(posted.status).toBe(405)
    expect(await userOfSession(service, session)).toBeDefined()
  })
})

describe('names in a logout message', () => {
  it('with a comment or character data inside are read as one whole name', async () => {
    const session = await victimsSession()
    const names = [
      `${victim}<!-- -->.evil.example`,
      `<!-- x -->evil-${victim}`,
      `${victim}<![CDATA[.evil.example]]>`,
      `${victim}&#46;evil`,
    ]
    for (const text of names) {
      const query = queryOf(parameters({ nameIdXml: `<saml:NameID>${text}</saml:NameID>` }))
      expect((await open(query)).status, text).toBe(303)
      expect(await userOfSession(service, session), text).toBeDefined()
    }
    const same = `<saml:NameID>${victim.slice(0, 3)}<!-- --><![CDATA[${victim.slice(3)}]]></saml:NameID>`
    await open(queryOf(parameters({ nameIdXml: same })))
    expect(await userOfSession(service, session)).toBeUndefined()
  })

  it('that resemble another name or a table key are different names', async () => {
    const session = await victimsSession()
    for (const nameId of [victim.toUpperCase(), `${victim} `, ` ${victim}`, 'victim', '#', `${victim}#`, '%'])
      expect((await open(queryOf(parameters({ nameId })))).status, nameId).toBe(303)
    expect(await userOfSession(service, session)).toBeDefined()
  })
})

describe('the XML of a logout message', () => {
  it('is rejected when it is not plain', async () => {
    const xml = plainXml()
    const broken: Readonly<Record<string, string>> = {
      'a document type': `<!DOCTYPE x>${xml}`,
      'an entity': `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${replaced(xml, victim, '&e;')}`,
      'an entity that is not declared': replaced(xml, victim, '&e;'),
      'a processing instruction': `<?x y?>${xml}`,
      'a second root': `${xml}${xml}`,
      'text behind it': `${xml}x`,
      'an attribute twice': replaced(xml, ' Version="2.0"', ' Version="2.0" Version="2.0"'),
      'an element that doesn’t end': xml.slice(0, -5),
      'an undeclared prefix': replaced(xml, '<saml:NameID', '<x:y/><saml:NameID'),
      'deep nesting': replaced(xml, '<saml:NameID', `${'<a>'.repeat(500)}${'</a>'.repeat(500)}<saml:NameID`),
      'a NUL': replaced(xml, victim, '\0'),
      nothing: '',
      'no XML': 'not XML',
    }
    for (const [name, text] of Object.entries(broken)) await attack(name, queryOf(signed(text)))
  })

  it('is rejected quickly when it inflates to a large size', async () => {
    const bomb = replaced(plainXml(), victim, 'x'.repeat(50 * 1024 * 1024))
    const query = queryOf(signed(bomb))
    const limitMs = 300 * (await referenceMs())
    // As large as the gateway allows, and larger.
    expect(query.length).toBeGreaterThan(16 * 1024)
    const smaller = queryOf(signed(replaced(plainXml(), victim, 'x'.repeat(5 * 1024 * 1024))))
    const ms = await cpuMsOf(async () => {
      const answer = await open(query)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
      await attack('a bomb', smaller)
    })
    expect(ms).toBeLessThan(limitMs)
  })

  it('is rejected when it is not deflated completely', async () => {
    const values = {
      plain: Buffer.from(plainXml()),
      'half of it': deflateRawSync(plainXml()).subarray(0, 100),
      'not UTF-8': deflateRawSync(Buffer.from(plainXml(), 'utf16le').subarray(1)),
      random: Buffer.alloc(300, 7),
    }
    const { keyPem } = provider.idp.signer
    for (const [name, bytes] of Object.entries(values)) {
      const unsigned: RawParameters = [
        ['SAMLRequest', encodeURIComponent(bytes.toString('base64'))],
        ['SigAlg', encodeURIComponent(signatureMethods['rsa-sha256'])],
      ]
      const signature = encodeURIComponent(signOctets('rsa-sha256', queryOf(unsigned), { keyPem }))
      await attack(name, queryOf([...unsigned, ['Signature', signature]]))
    }
  })
})
