import { describe, expect, it } from 'vitest'
import { attributeXml } from '../support/idp/assertion.ts'
import { nameIdFormats } from '../support/idp/names.ts'
import { replaced } from '../support/idp/xml.ts'
import { makeIdp } from '../support/idp.ts'
import { addPerson } from '../support/people.ts'
import { addProvider } from '../support/saml.ts'
import {
  expectAccepted,
  expectOneChangeAway,
  expectRefused,
  userFor,
  useTwoProviders,
} from '../support/saml-attack.ts'

/* Attackers choose their own name and attributes at the provider. They must not get another user's account. */

const { service, provider, other } = await useTwoProviders()

const victim = 'victim@example.com'
const victimId = await expectAccepted(service, provider, 'the victim', { nameId: victim })
const attacker = `${victim}.evil.example`

const nameId = (content: string): string => `<saml:NameID>${content}</saml:NameID>`

describe('a NameID', () => {
  const cuts = [
    `${victim}<!-- -->.evil.example`,
    `${victim}<!---->.evil.example`,
    `<!-- x -->${victim}<!-- -->.evil.example`,
    `${victim}<![CDATA[.evil.example]]>`,
    `<![CDATA[${victim}]]>.evil.example`,
    `${victim}<![CDATA[]]>.evil.example`,
    `victim<!-- -->@example.com.evil.example`,
  ]

  it.each(cuts)('is read as a whole when it is signed in pieces: %s', async (content) => {
    const own = await expectAccepted(service, provider, 'the attacker', { nameId: attacker })
    expect(own).not.toBe(victimId)
    expect(await expectAccepted(service, provider, content, { nameIdXml: nameId(content) })).toBe(own)
  })

  it.each(cuts)('is rejected or unchanged when it is split after signing: %s', async (content) => {
    const own = await expectAccepted(service, provider, 'the attacker', { nameId: attacker })
    const signedResponse = (xml: string) => replaced(xml, attacker, content)
    // Canonicalization drops comments, so the signature stays valid.
    for (const sign of ['assertion', 'response', 'both'] as const)
      expect(
        await expectAccepted(service, provider, content, {
          nameId: attacker,
          sign,
          change: { signedResponse },
        }),
      ).toBe(own)
  })

  it('that resembles the victim’s name is a different name', async () => {
    for (const name of ['VICTIM@example.com', 'victim@example.com\u200b', 'ｖictim@example.com', 'victim']) {
      expect(await userFor(service, provider, name, { nameId: name }), name).not.toBe(victimId)
    }
    for (const name of [` ${victim}`, `${victim} `, `${victim}\n`, `${victim}\0`, `\u202e${victim}`])
      await expectRefused(service, provider, JSON.stringify(name), {
        nameIdXml: nameId(name.replace('\0', '&#0;')),
      })
  })

  it('is read without indentation, but a space inside it counts', async () => {
    const own = await expectAccepted(service, provider, 'the attacker', { nameId: attacker })
    const indented = { nameIdXml: nameId(`\n      ${attacker}\n    `) }
    expect(await expectAccepted(service, provider, 'indented', indented)).toBe(own)
    for (const name of [
      ` ${attacker}`,
      `${attacker}\t`,
      `\n${attacker} `,
      `\n\u00a0${attacker}\n`,
      `&#13;${attacker}\n`,
    ])
      await expectRefused(service, provider, JSON.stringify(name), { nameIdXml: nameId(name) })
  })

  it('is rejected when it is missing, empty, repeated, or not a text', async () => {
    const names = [
      '',
      nameId(''),
      nameId('  '),
      nameId('<!-- -->'),
      nameId(`<b>${victim}</b>`),
      nameId(`x<b/>${victim}`),
      nameId(victim) + nameId('attacker'),
      nameId('attacker') + nameId(victim),
      `<saml:BaseID>${victim}</saml:BaseID>`,
      `<saml:nameid>${victim}</saml:nameid>`,
      `<NameID>${victim}</NameID>`,
      `<x:NameID xmlns:x="urn:evil">${victim}</x:NameID>`,
      nameId('x'.repeat(5000)),
    ]
    for (const nameIdXml of names)
      await expectOneChangeAway(
        service,
        provider,
        nameIdXml.slice(0, 80),
        { nameIdXml },
        { nameId: attacker },
      )
  })

  it('is ignored in another place of the assertion', async () => {
    const own = await expectAccepted(service, provider, 'the attacker', { nameId: attacker })
    const conditionsXml = '<saml:OneTimeUse/>'
    const elsewhere = (xml: string) =>
      replaced(xml, '<saml:SubjectConfirmationData', `${nameId(victim)}<saml:SubjectConfirmationData`)
    const taken = await userFor(service, provider, 'of the confirming party', {
      nameId: attacker,
      conditionsXml,
      change: { assertion: elsewhere },
    })
    expect([own, undefined]).toContain(taken)
  })

  it('is rejected when it is transient, because it would be a new account each time', async () => {
    await expectOneChangeAway(
      service,
      provider,
      'transient',
      { nameIdFormat: nameIdFormats.transient },
      { nameIdFormat: nameIdFormats.persistent },
    )
  })

  it('belongs to another user at another provider', async () => {
    expect(await expectAccepted(service, other, 'another provider', { nameId: victim })).not.toBe(victimId)
  })
})

describe('an attribute', () => {
  const names = [
    'nameID',
    'NameID',
    'nameId',
    'nameid',
    'saml:NameID',
    'nameIDFormat',
    'issuer',
    'inResponseTo',
  ]

  it('with the name of an assertion element is not that element', async () => {
    const own = await expectAccepted(service, provider, 'the attacker', { nameId: attacker })
    const attributes = Object.fromEntries(names.map((name) => [name, victim]))
    expect(await expectAccepted(service, provider, 'attributes', { nameId: attacker, attributes })).toBe(own)
  })

  it('does not replace a missing NameID', async () => {
    for (const name of [...names, 'urn:oid:0.9.2342.19200300.100.1.1', 'uid', 'mail'])
      await expectRefused(service, provider, name, { nameIdXml: '', attributes: { [name]: victim } })
    await expectAccepted(service, provider, 'with a name', { attributes: { nameID: victim } })
  })

  it('with the name of an object’s built-in property is an ordinary attribute', async () => {
    const own = await expectAccepted(service, provider, 'the attacker', { nameId: attacker })
    const attributesXml = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '']
      .map((name) => attributeXml(name, [victim]))
      .join('')
    const taken = await userFor(service, provider, 'odd names', { nameId: attacker, attributesXml })
    expect([own, undefined]).toContain(taken)
    expect(({} as Record<string, unknown>)['victim']).toBeUndefined()
  })

  it('with the address or username of another user gives access to no account', async () => {
    const person = await addPerson(service, { username: 'chief', email: 'chief@example.com' })
    const attributes = {
      mail: 'chief@example.com',
      email: 'chief@example.com',
      uid: 'chief',
      username: 'chief',
      'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress': 'chief@example.com',
      'urn:oid:0.9.2342.19200300.100.1.3': 'chief@example.com',
    }
    const fresh = `fresh-${attacker}`
    for (const nameIdXml of [nameId(fresh), nameId('chief'), nameId('chief@example.com')]) {
      expect(await userFor(service, provider, nameIdXml, { nameIdXml, attributes })).toBeUndefined()
      const { uid, username } = attributes
      const valid = { nameIdXml, attributes: { uid, username } }
      expect(await expectAccepted(service, provider, nameIdXml, valid)).not.toBe(person.user.id)
    }
  })

  it('with groups gives no one administrator access', async () => {
    const attributes = {
      groups: ['system:admin-access', 'admin', 'Administrators'],
      permissions: ['system:admin-access'],
    }
    const generous = await addProvider(service, await makeIdp(), {
      auto_create_groups: true,
      auto_sync_groups: true,
      allowed_groups: ['*'],
    })
    const id = await expectAccepted(service, generous, 'groups', { nameId: 'grouped', attributes })
    const user = await service.client('GET', `/api/2/users/${id}`, { bearer: generous.admin })
    expect(user.body.permissions).toEqual([])
    expect(user.body.effective_permissions).toEqual([])
  })
})
