import { describe, expect, it } from 'vitest'
import { assertionXml } from '../support/idp/assertion.ts'
import { encryptAssertion } from '../support/idp/encrypt.ts'
import { signXml } from '../support/idp/sign.ts'
import { type Wrapping, wrappings } from '../support/idp/wrapping.ts'
import { elementIn, newId, replaced } from '../support/idp/xml.ts'
import { makeIdp } from '../support/idp.ts'
import { addProvider, signInByConnection, userOfSession } from '../support/saml.ts'
import { expectAccepted, expectOneChangeAway, expectRefused } from '../support/saml-attack.ts'
import { useService } from '../support/use-service.ts'

/*
 * The attacker has an account at the identity provider, and therefore any number of signed responses. The attacker
 * rearranges them so that they are read as the victim's.
 */

const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })
const provider = await addProvider(service, await makeIdp())

const victim = 'victim@example.com'
await expectAccepted(service, provider, 'the victim', { nameId: victim })
const attacker = 'attacker@example.com'
const forge = (assertion: string): string => replaced(assertion, attacker, victim)

describe('signature wrapping', () => {
  it.each(Object.entries(wrappings))('%s signs no one in', async (name, { signed, wrap }: Wrapping) => {
    const keep = (assertion: string) => assertion
    const attacks = [
      ['with an ID of its own', signed, { forge, keepsId: false }],
      ['with the same ID', signed, { forge, keepsId: true }],
      ['with both response and assertion signed', 'both', { forge, keepsId: false }],
      ['with nothing forged', signed, { forge: keep, keepsId: false }],
    ] as const
    for (const [how, sign, options] of attacks) {
      const honest = { nameId: attacker, sign }
      const change = { signedResponse: (xml: string) => wrap(xml, options) }
      await expectOneChangeAway(service, provider, `${name}, ${how}`, { ...honest, change }, honest)
    }
  })
})

describe('several assertions', () => {
  it('are rejected, whichever of them is signed and wherever they stand', async () => {
    const honest = { nameId: attacker }
    const unsigned = (xml: string) => replaced(xml, elementIn(xml, 'ds:Signature'), '')
    const another = (xml: string) => replaced(forge(unsigned(xml)), / ID="[^"]*"/, ` ID="${newId()}"`)
    const twice: readonly ((xml: string) => string)[] = [
      (xml) => another(xml) + xml,
      (xml) => xml + another(xml),
      (xml) => xml + xml,
      (xml) => `<saml:Advice>${another(xml)}</saml:Advice>${xml}`,
      (xml) =>
        replaced(xml, '</saml:Assertion>', `<saml:Advice>${another(xml)}</saml:Advice></saml:Assertion>`),
    ]
    for (const [at, signedAssertion] of twice.entries())
      await expectOneChangeAway(
        service,
        provider,
        `several ${at}`,
        { ...honest, change: { signedAssertion } },
        honest,
      )
  })

  it('are rejected even if the provider signed all of them', async () => {
    const { idp } = provider
    await expectOneChangeAway(service, provider, 'two signed', async (target) => {
      const other = signXml(assertionXml(idp.entityId, target, { nameId: victim }), '/*', idp.signer)
      return (
        await idp.answer(target, { nameId: attacker, change: { signedAssertion: (xml) => xml + other } })
      ).form
    })
    for (const sign of ['response', 'both'] as const)
      await expectOneChangeAway(
        service,
        provider,
        'two in a signed response',
        async (target) => {
          const other = assertionXml(idp.entityId, target, { nameId: victim })
          const change = { signedAssertion: (xml: string) => xml + other }
          return (await idp.answer(target, { nameId: attacker, sign, change })).form
        },
        { nameId: attacker, sign },
      )
  })

  it('are rejected if one of them is encrypted', async () => {
    const { idp, own } = provider
    const encrypt = { certificate: own.pem }
    for (const signed of [true, false])
      await expectOneChangeAway(
        service,
        provider,
        'one encrypted besides',
        async (target) => {
          const plain = assertionXml(idp.entityId, target, { nameId: victim })
          const content = signed ? signXml(plain, '/*', idp.signer) : plain
          const other = await encryptAssertion(content, encrypt)
          const change = { signedAssertion: (xml: string) => other + xml }
          return (await idp.answer(target, { nameId: attacker, change })).form
        },
        { nameId: attacker },
      )
    const forgedInside = (xml: string) => `${forge(replaced(xml, elementIn(xml, 'ds:Signature'), ''))}${xml}`
    await expectOneChangeAway(
      service,
      provider,
      'two inside of one encryption',
      { nameId: attacker, encrypt, change: { signedAssertion: forgedInside } },
      { nameId: attacker, encrypt },
    )
    await expectOneChangeAway(
      service,
      provider,
      'a wrapped one inside of an encryption',
      {
        nameId: attacker,
        encrypt,
        change: {
          signedAssertion: (xml) =>
            replaced(
              forge(replaced(xml, elementIn(xml, 'ds:Signature'), '')),
              '</saml:Assertion>',
              `${xml}</saml:Assertion>`,
            ),
        },
      },
      { nameId: attacker, encrypt },
    )
  })
})

describe('IDs', () => {
  it('are rejected when they are repeated, on any element', async () => {
    const honest = { nameId: attacker }
    const idOf = (xml: string) => / ID="([^"]*)"/.exec(elementIn(xml, 'saml:Assertion'))?.[1] ?? ''
    const bearers: readonly ((id: string) => string)[] = [
      (id) => `<samlp:Extensions><x ID="${id}"/></samlp:Extensions>`,
      (id) => `<samlp:Extensions><x Id="${id}"/></samlp:Extensions>`,
      (id) => `<samlp:Extensions><x id="${id}"/></samlp:Extensions>`,
      (id) => `<samlp:Extensions><x xml:id="${id}"/></samlp:Extensions>`,
      (id) => `<samlp:Extensions xmlns:w="urn:w" w:ID="${id}"/>`,
    ]
    for (const [at, bearer] of bearers.entries()) {
      const signedResponse = (xml: string) =>
        replaced(xml, '<samlp:Status>', `${bearer(idOf(xml))}<samlp:Status>`)
      await expectOneChangeAway(
        service,
        provider,
        `id twice ${at}`,
        { ...honest, change: { signedResponse } },
        honest,
      )
    }
  })

  it('are rejected when the response and the assertion share one', async () => {
    const id = newId()
    for (const sign of ['response', 'assertion', 'both'] as const)
      await expectOneChangeAway(
        service,
        provider,
        `shared, ${sign}`,
        { id, response: { id }, sign },
        { id: newId(), response: { id: newId() }, sign },
      )
  })

  it('are rejected when they are not valid', async () => {
    for (const id of ['', ' ', '1', "a' or '1'='1", '"]|//*["', '#x', 'a b'])
      await expectRefused(service, provider, `id ${id}`, { id })
  })
})

it('an attack leaves the victim’s account unchanged', async () => {
  const { session } = await signInByConnection(service, provider, { nameId: attacker })
  const own = await userOfSession(service, session)
  const victims = await expectAccepted(service, provider, 'the victim', { nameId: victim })
  expect(own).not.toBe(victims)
})
