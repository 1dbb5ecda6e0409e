import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../support/client.ts'
import { attributeXml } from '../support/idp/assertion.ts'
import { encryptElement } from '../support/idp/encrypt.ts'
import { nameIdFormats, ns } from '../support/idp/names.ts'
import { type AnswerFacts, makeIdp } from '../support/idp.ts'
import { addProvider, patchProvider, sessionOf, signInByConnection, startSignIn } from '../support/saml.ts'
import { expectAccepted, expectRefused, userFor } from '../support/saml-attack.ts'
import { sendLogoutRequest } from '../support/saml-sign-out.ts'
import { useService } from '../support/use-service.ts'

/*
 * A provider that sends a new NameID at each sign-in, as some federations require for privacy, and that identifies
 * users by an attribute.
 */

const attribute = 'urn:oasis:names:tc:SAML:attribute:subject-id'
const nameIdFormat = nameIdFormats.transient
const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })
const provider = await addProvider(service, await makeIdp(), {
  nameid_format: nameIdFormat,
  nameid_attribute: attribute,
})

const passing = () => `_${randomUUID()}`
const facts = (value: string | readonly string[], more: AnswerFacts = {}): AnswerFacts => ({
  ...{ nameId: passing(), nameIdFormat },
  ...more,
  attributes: { [attribute]: value, ...more.attributes },
})
const signedIn = (name: string, given: AnswerFacts, at = provider): Promise<number> =>
  expectAccepted(service, at, name, given)
const refused = (name: string, given: AnswerFacts, at = provider) => expectRefused(service, at, name, given)
const userOf = async (id: number): Promise<JsonValue> =>
  (await service.client('GET', `/api/2/users/${id}`, { bearer: provider.admin })).body

describe('a user identified by an attribute', () => {
  it('is the same user at each sign-in with any NameID, and other values are other users', async () => {
    const value = `${randomUUID()}@example.com`
    const first = await signedIn('first', facts(value))
    expect((await userOf(first)).username).toBe(value.split('@')[0])
    expect(await signedIn('again', facts(value))).toBe(first)
    expect(await signedIn('in blanks', facts(`\n  ${value}\n`))).toBe(first)
    for (const other of [value.toUpperCase(), `${value}x`, `x${value}`])
      expect(await signedIn(other, facts(other))).not.toBe(first)
  })

  it('may be identified in encrypted content, including the NameID', async () => {
    const value = randomUUID()
    const { certificate } = { certificate: provider.own.pem }
    const name = `<saml:NameID xmlns:saml="${ns.assertion}" Format="${nameIdFormat}">${passing()}</saml:NameID>`
    const nameIdXml = await encryptElement('EncryptedID', name, { certificate })
    const first = await signedIn('plain', facts(value))
    expect(await signedIn('encrypted', facts(value, { nameIdXml }))).toBe(first)
    expect(await signedIn('all of it', facts(value, { encrypt: { certificate } }))).toBe(first)
  })

  it('is signed out by the NameID of their session', async () => {
    const given = facts(randomUUID())
    const { session } = await signInByConnection(service, provider, given)
    const other = (await signInByConnection(service, provider, facts(randomUUID()))).session
    await sendLogoutRequest(service, provider, { nameId: given.nameId ?? null, nameIdFormat })
    const me = async (bearer: string) => (await service.client('GET', '/api/2/users/me', { bearer })).status
    expect([await me(session), await me(other)]).toEqual([401, 200])
  })

  it('is reported as such by a diagnosis', async () => {
    const value = randomUUID()
    const id = await signedIn('known', facts(value))
    const diagnosed = async (given: AnswerFacts) => {
      const { target } = await startSignIn(service, provider)
      const { form } = await provider.idp.answer(target, given)
      const body = { saml_response: form.SAMLResponse, relay_state: form.RelayState }
      const path = `/api/2/auth/saml/${provider.id}/diagnose`
      return (await service.client('POST', path, { bearer: provider.admin, body })).body
    }
    expect(await diagnosed(facts(value))).toMatchObject({ accepted: true, subject: { user: id } })
    const without = await diagnosed({ nameId: passing(), nameIdFormat })
    const failed = without.steps.filter(({ outcome }: JsonValue) => outcome === 'failed')
    expect(failed).toMatchObject([
      { name: 'name_id_format', remedy: expect.stringContaining(`send the attribute ${attribute}`) },
    ])
  })
})

describe('an attribute that identifies no one', () => {
  const xml = (content: string, name = attribute) =>
    attributeXml(name, ['-']).replace('<saml:AttributeValue>-</saml:AttributeValue>', content)
  const value = (text: string) => `<saml:AttributeValue>${text}</saml:AttributeValue>`

  it.each<[string, string]>([
    ['is missing', ''],
    ['has no value', xml('')],
    ['is empty', xml(value(''))],
    ['is blank', xml(value(' \n '))],
    ['has two values', xml(value('victim') + value('attacker'))],
    ['has the same value twice', xml(value('victim') + value('victim'))],
    ['has an empty value besides', xml(value('victim') + value(''))],
    ['is there twice', xml(value('victim')) + xml(value('victim'))],
    ['is there again, and empty', xml(value('victim')) + xml('')],
    ['is XML', xml(value('<saml:NameID>victim</saml:NameID>'))],
    ['is text and XML', xml(value('victim<saml:NameID>victim</saml:NameID>'))],
    ['is long', xml(value('x'.repeat(1025)))],
    ['holds control characters', xml(value('vic&#9;tim'))],
    ['is called otherwise', xml(value('victim'), attribute.toUpperCase())],
    ['is called so by a friend', xml(value('victim'), `urn:x" FriendlyName="${attribute}`)],
  ])('is rejected: %s', async (name, attributesXml) => {
    await refused(name, {
      nameId: passing(),
      nameIdFormat,
      attributesXml: attributesXml.replaceAll('&quot;', '"'),
    })
  })

  it('is answered with advice on what to send', async () => {
    const { browser, target } = await startSignIn(service, provider)
    const { form } = await provider.idp.answer(target, { nameId: passing(), nameIdFormat })
    const page = await browser.postByScript(target.acsUrl, form)
    expect(page.status).toBe(401)
    expect(page.body.detail).toContain('not the attribute that identifies the user')
    expect(sessionOf(page)).toBeUndefined()
  })
})

describe('an account', () => {
  it('of an attribute value differs from one of a NameID or of another attribute with the same text', async () => {
    const value = randomUUID()
    const byAttribute = await signedIn('by the attribute', facts(value))
    const lasting = { nameId: value, nameIdFormat: nameIdFormats.persistent }
    const byName = await signedIn('by name', lasting)
    expect(byName).not.toBe(byAttribute)
    // Where the name stays the same, the attribute is ignored.
    expect(await signedIn('by both', { ...lasting, attributes: { [attribute]: value } })).toBe(byName)
    await patchProvider(service, provider, { nameid_attribute: 'uid' })
    const given = { nameId: passing(), nameIdFormat, attributes: { uid: value, [attribute]: value } }
    const byAnother = await userFor(service, provider, 'by another attribute', given)
    await patchProvider(service, provider, { nameid_attribute: attribute })
    expect([byName, byAttribute, undefined]).not.toContain(byAnother)
    expect(await signedIn('as before', facts(value))).toBe(byAttribute)
  })

  it('of a NameID that imitates an attribute account is not that account', async () => {
    const value = randomUUID()
    const byAttribute = await signedIn('by the attribute', facts(value))
    const looks = [
      { nameId: attribute, nameQualifier: value },
      { nameId: 'attribute', nameQualifier: attribute, spNameQualifier: value },
      { nameId: JSON.stringify({ attribute, value }) },
    ]
    for (const given of looks) expect(await signedIn(JSON.stringify(given), given)).not.toBe(byAttribute)
  })

  it('cannot be reached by a transient name where no attribute is configured', async () => {
    const plain = await addProvider(service, await makeIdp())
    await refused('without one', facts('victim'), plain)
    await patchProvider(service, plain, { nameid_attribute: attribute })
    await signedIn('with one', facts('victim'), plain)
    await patchProvider(service, plain, { nameid_attribute: null })
    await refused('without one again', facts('victim'), plain)
  })
})
