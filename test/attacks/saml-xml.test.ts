import { deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { cpuMsOf, referenceMs } from '../support/cpu-time.ts'
import { attributeXml } from '../support/idp/assertion.ts'
import { replaced } from '../support/idp/xml.ts'
import { formOf, makeIdp } from '../support/idp.ts'
import { expectPlainRefusal } from '../support/refusals.ts'
import { addProvider, countSessions, startSignIn } from '../support/saml.ts'
import { expectAccepted, expectOneChangeAway, expectRefused } from '../support/saml-attack.ts'
import { useService } from '../support/use-service.ts'

/* Anonymous input: rejecting it must be cheap, and reading it must not load anything else. */

const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })
const provider = await addProvider(service, await makeIdp())

const changed = (change: (xml: string) => string) => ({ change: { signedResponse: change } })
const inFront = (text: string) => changed((xml) => text + xml)

describe('XML that is not plain', () => {
  const entities = [
    '<!DOCTYPE r>',
    '<!DOCTYPE r []>',
    '<!doctype r>',
    '<!DOCTYPE r [<!ENTITY e "x">]>',
    '<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE r [<!ENTITY % p SYSTEM "http://127.0.0.1:1/x"> %p;]>',
    '<!DOCTYPE r SYSTEM "http://127.0.0.1:1/x.dtd">',
    '<!DOCTYPE r [<!ATTLIST saml:Assertion ID ID #IMPLIED>]>',
    `<!DOCTYPE r [<!ENTITY a "x">${Array.from({ length: 20 }, (_, at) => `<!ENTITY e${at} "${'&a;'.repeat(20)}">`).join('')}]>`,
  ]

  it('is rejected with any document type', async () => {
    for (const text of entities) await expectOneChangeAway(service, provider, text, inFront(text))
    for (const declaration of ['<?xml version="1.0"?>', '<?xml version="1.0" encoding="UTF-8"?>\n'])
      for (const text of entities.slice(0, 3))
        await expectRefused(service, provider, text, inFront(declaration + text))
    await expectAccepted(
      service,
      provider,
      'a declaration',
      inFront('<?xml version="1.0" encoding="UTF-8"?>\n'),
    )
  })

  it('is rejected with entities, instructions, or a second root', async () => {
    const variants: Readonly<Record<string, (xml: string) => string>> = {
      'an entity': (xml) => replaced(xml, 'ada@example.com', '&e;'),
      'a parameter entity': (xml) => replaced(xml, 'ada@example.com', '%e;'),
      'an entity in an attribute': (xml) => replaced(xml, 'Version="2.0"', 'Version="&e;"'),
      'a style sheet': (xml) => `<?xml-stylesheet href="http://127.0.0.1:1/"?>${xml}`,
      'an instruction in a name': (xml) => replaced(xml, 'ada@', 'ada<?x y?>@'),
      'a second root': (xml) => `${xml}${xml}`,
      'an element in front': (xml) => `<x/>${xml}`,
      'text in front': (xml) => `x${xml}`,
      'text behind': (xml) => `${xml}x`,
      'a root around it': (xml) => `<x>${xml}</x>`,
      'an end that is missing': (xml) => xml.slice(0, -3),
      'another end': (xml) => replaced(xml, '</samlp:Response>', '</samlp:Respons>'),
      'an attribute twice': (xml) => replaced(xml, ' Version="2.0"', ' Version="2.0" Version="2.0"'),
      'the same attribute by two prefixes': (xml) =>
        replaced(xml, ' Version="2.0"', ' xmlns:a="urn:a" xmlns:b="urn:a" a:x="1" b:x="2" Version="2.0"'),
      'an attribute without quotes': (xml) => replaced(xml, ' Version="2.0"', ' Version=2.0'),
      'a prefix of undeclared': (xml) => replaced(xml, '<samlp:Status>', '<undeclared:x/><samlp:Status>'),
      'a prefix of XML': (xml) => replaced(xml, '<samlp:Status>', '<x xmlns:xml="urn:x"/><samlp:Status>'),
      'half a surrogate pair': (xml) => replaced(xml, 'ada@', '&#xD800;ada@'),
      'a character that XML doesn’t know': (xml) => replaced(xml, 'ada@', '&#x1;ada@'),
      'a NUL': (xml) => replaced(xml, 'ada@', '\0ada@'),
    }
    for (const [name, change] of Object.entries(variants))
      await expectOneChangeAway(service, provider, name, changed(change))
  })

  it('is rejected in another encoding than it declares', async () => {
    const posted = async (bytes: (xml: string) => Buffer) => {
      const { browser, target } = await startSignIn(service, provider)
      const { xml, form } = await provider.idp.answer(target)
      return browser.post(target.acsUrl, { ...form, SAMLResponse: bytes(xml).toString('base64') })
    }
    const declared = (encoding: string) => (xml: string) =>
      Buffer.from(`<?xml version="1.0" encoding="${encoding}"?>${xml}`)
    const wrong: readonly ((xml: string) => Buffer)[] = [
      declared('UTF-7'),
      declared('UTF-16'),
      declared('ISO-8859-1'),
      declared('UTF-32'),
      (xml) => Buffer.from(`${xml.slice(0, 40)}\u00ff${xml.slice(40)}`, 'latin1'),
      (xml) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(xml)]),
      (xml) => Buffer.from(xml.replaceAll('<', '+ADw-')),
      (xml) => deflateRawSync(xml),
      (xml) => gzipSync(xml),
    ]
    for (const [at, bytes] of wrong.entries()) expectPlainRefusal(await posted(bytes), `encoding ${at}`)
    expect((await posted(declared('utf-8'))).status).toBe(303)
  })
})

describe('a response above the limits', () => {
  const values = (count: number) =>
    attributeXml(
      'groups',
      Array.from({ length: count }, (_, at) => `group ${at}`),
    )

  it('of 256 KiB is rejected', async () => {
    const { browser, target } = await startSignIn(service, provider)
    const before = await countSessions(service)
    const { xml } = await provider.idp.answer(target)
    const large = `${xml}<!--${'x'.repeat(260 * 1024)}-->`
    expect((await browser.post(target.acsUrl, formOf(large, target.relayState))).status).toBe(413)
    expect(await countSessions(service)).toBe(before)
    await expectAccepted(
      service,
      provider,
      'large',
      changed((text) => `${text}<!--${'x'.repeat(100 * 1024)}-->`),
    )
  })

  it('of 500 attribute values is rejected, wherever they stand', async () => {
    await expectOneChangeAway(
      service,
      provider,
      'in one attribute',
      { attributesXml: values(501) },
      { attributesXml: values(500) },
    )
    const many = Array.from({ length: 501 }, (_, at) => attributeXml(`a${at}`, ['x'])).join('')
    await expectRefused(service, provider, 'in many', { attributesXml: many })
    const outside = (xml: string) =>
      replaced(xml, '<samlp:Status>', `<samlp:Extensions>${values(501)}</samlp:Extensions><samlp:Status>`)
    await expectRefused(service, provider, 'elsewhere', changed(outside))
    const { pem: certificate } = provider.own
    await expectOneChangeAway(
      service,
      provider,
      'encrypted',
      { attributesXml: values(501), encrypt: { certificate } },
      { attributesXml: values(500), encrypt: { certificate } },
    )
  })

  it('of nesting depth is rejected', async () => {
    for (const depth of [60, 5000]) {
      const deep = '<x>'.repeat(depth) + '</x>'.repeat(depth)
      await expectOneChangeAway(
        service,
        provider,
        `${depth} deep`,
        changed((xml) =>
          replaced(xml, '<samlp:Status>', `<samlp:Extensions>${deep}</samlp:Extensions><samlp:Status>`),
        ),
      )
    }
  })

  it('is rejected quickly', async () => {
    const fill = (unit: string, bytes = 180 * 1024) => unit.repeat(Math.floor(bytes / unit.length))
    const hostile: Readonly<Record<string, (xml: string) => string>> = {
      'many elements': (xml) => replaced(xml, '<samlp:Status>', `${fill('<x/>')}<samlp:Status>`),
      'many attributes': (xml) =>
        replaced(
          xml,
          '<samlp:Status>',
          `<x ${Array.from({ length: 15_000 }, (_, at) => `a${at}=""`).join(' ')}/><samlp:Status>`,
        ),
      'many namespaces': (xml) =>
        replaced(
          xml,
          '<samlp:Status>',
          `<x ${Array.from({ length: 9000 }, (_, at) => `xmlns:n${at}="u"`).join(' ')}/><samlp:Status>`,
        ),
      'many comments': (xml) => xml + fill('<!---->'),
      'many blanks': (xml) => replaced(xml, '<samlp:Status>', `<samlp:Status${fill(' ')}>`),
      'many references': (xml) => replaced(xml, 'ada@', fill('&#97;')),
      'many brackets': (xml) => replaced(xml, 'ada@', fill(']')),
      'many openings': (xml) => xml + fill('<'),
      'many signatures': (xml) =>
        replaced(
          xml,
          '<samlp:Status>',
          `${fill('<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"/>')}<samlp:Status>`,
        ),
      'many references in a signature': (xml) =>
        replaced(xml, '</ds:Reference>', `</ds:Reference>${fill('<ds:Reference URI="#x"/>')}`),
      'many transforms': (xml) =>
        replaced(
          xml,
          '</ds:Transforms>',
          `${fill('<ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>')}</ds:Transforms>`,
        ),
      'many certificates': (xml) =>
        replaced(
          xml,
          '</ds:X509Data>',
          `${fill('<ds:X509Certificate>MIIB</ds:X509Certificate>')}</ds:X509Data>`,
        ),
      'many assertions': (xml) =>
        replaced(xml, '</samlp:Response>', `${fill('<saml:Assertion/>')}</samlp:Response>`),
      'many encrypted keys': (xml) =>
        replaced(
          xml,
          '</samlp:Response>',
          `<saml:EncryptedAssertion>${fill('<e:EncryptedKey xmlns:e="http://www.w3.org/2001/04/xmlenc#"/>')}</saml:EncryptedAssertion></samlp:Response>`,
        ),
    }
    for (const [name, change] of Object.entries(hostile)) {
      const { browser, target } = await startSignIn(service, provider)
      const { form } = await provider.idp.answer(target, changed(change))
      const ms = await cpuMsOf(async () => {
        const answer = await browser.post(target.acsUrl, form)
        if (answer.status !== 303) expectPlainRefusal(answer, name)
      })
      // An honest message takes a hundredth of this; quadratic processing would take minutes.
      expect([name, ms < 150 * (await referenceMs())]).toEqual([name, true])
    }
    await expectAccepted(service, provider, 'as it is')
  })
})

describe('the posted form', () => {
  const post = async (change: (form: Readonly<Record<string, string>>) => string, type?: string) => {
    const { browser, target } = await startSignIn(service, provider)
    const { form } = await provider.idp.answer(target)
    const raw = change({ ...form })
    const cookie = browser.cookieHeader(provider.assertionUrl, 'cross-site', 'POST')
    return service.client('POST', new URL(provider.assertionUrl).pathname, {
      raw,
      headers: { 'content-type': type ?? 'application/x-www-form-urlencoded', cookie },
    })
  }
  const encoded = (form: Readonly<Record<string, string>>) => new URLSearchParams(form).toString()

  it('is rejected with a missing, empty, or repeated field', async () => {
    const broken: readonly ((form: Readonly<Record<string, string>>) => string)[] = [
      () => '',
      () => 'SAMLResponse=',
      () => 'SAMLResponse=x&RelayState=x',
      ({ RelayState = '' }) => encoded({ RelayState }),
      (form) => `${encoded(form)}&SAMLResponse=x`,
      (form) => `SAMLResponse=x&${encoded(form)}`,
      (form) => `${encoded(form)}&RelayState=x`,
      (form) => `${encoded(form)}&SAML%52esponse=x`,
      ({ SAMLResponse = '', ...rest }) =>
        encoded({ ...rest, SAMLResponse: `${SAMLResponse.slice(0, -8)}$$` }),
      ({ SAMLResponse = '', ...rest }) => encoded({ ...rest, SAMLResponse: `\0${SAMLResponse}` }),
      ({ SAMLResponse = '', ...rest }) =>
        encoded({ ...rest, SAMLResponse: Buffer.from(SAMLResponse).toString('base64') }),
    ]
    const before = await countSessions(service)
    for (const [at, change] of broken.entries()) expectPlainRefusal(await post(change), `form ${at}`)
    expect(await countSessions(service)).toBe(before)
    expect((await post(encoded)).status).toBe(303)
  })

  it('is rejected with another content type', async () => {
    for (const type of ['application/json', 'text/xml', 'multipart/form-data', ''])
      expect((await post((form) => JSON.stringify(form), type)).status).toBe(415)
  })

  it('is accepted by POST only: a response in a query is rejected', async () => {
    const { browser, target } = await startSignIn(service, provider)
    const { form } = await provider.idp.answer(target)
    const before = await countSessions(service)
    const returned = await browser.get(`${provider.loginUrl}/return?${encoded({ ...form })}`, 'cross-site')
    expect(returned.status).toBe(400)
    expectPlainRefusal(returned, 'at the return')
    const got = await browser.get(`${provider.assertionUrl}?${encoded({ ...form })}`, 'cross-site')
    expect(got.status).toBe(405)
    expect(await countSessions(service)).toBe(before)
  })
})
