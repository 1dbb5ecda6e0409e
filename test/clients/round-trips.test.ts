import { randomUUID } from 'node:crypto'
import {
  AuthApi,
  Configuration,
  ElementsUserDetailToJSON,
  ElementsUserDetailUpdateFromJSON,
  ElementsUserProfileUpdateLanguageEnum,
  MainApi,
  MediaLibraryApi,
} from 'elements-sdk'
import { describe, expect, it } from 'vitest'
import { makeCertificate } from '../support/certificates.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

const configure = (bearer: string) =>
  new Configuration({ basePath: service.url, apiKey: `Bearer ${bearer}`, credentials: 'include' })

const configuration = configure(admin.bearer)
const auth = new AuthApi(configuration)
const main = new MainApi(configuration)

/** The status that the client throws. */
const statusOf = async (call: Promise<unknown>): Promise<number> => {
  try {
    await call
  } catch (error) {
    if (error instanceof Response) return error.status
    throw error
  }
  throw new Error('the client did not throw')
}

describe('a program with the npm client', () => {
  it('signs in and goes on with the session', async () => {
    const { user, password } = await addPerson(service)
    const { raw } = await new AuthApi(new Configuration({ basePath: service.url })).loginRaw({
      authLoginEndpointRequest: { username: user.username, password },
    })
    const { session_key: session } = JSON.parse(await raw.text())
    const { ticket } = await new AuthApi(configure(session)).createAuthTicket()
    const checked = await auth.checkAuthTicket({ ticket: { ticket } })
    expect(checked.username).toBe(user.username)
    expect(await statusOf(auth.checkAuthTicket({ ticket: { ticket } }))).toBe(404)
  })

  it('reads a user, changes one field, and writes the user', async () => {
    const expiry = new Date('2099-01-02T03:04:05.678Z')
    const created = await main.createUser({
      elementsUserDetailUpdate: {
        username: `jürgen-${randomUUID()}`,
        permissions: ['media:access'],
        groups: [],
        expiry,
        fmBookmarks: ['/a'],
        uid: 1001,
      },
    })
    expect(created.expiry).toEqual(expiry)
    const read = await main.getUser({ id: created.id })
    const changed = { ...read, fullName: 'Jürgen' }
    // The client has the enumeration of languages once for each model.
    const update = ElementsUserDetailUpdateFromJSON(ElementsUserDetailToJSON(changed))
    await main.updateUser({ id: created.id, elementsUserDetailUpdate: update })
    expect(await main.getUser({ id: created.id })).toEqual({ ...changed, displayName: 'Jürgen' })
  })

  it('reads a group with members, renames it, and writes it', async () => {
    const { user } = await addPerson(service)
    const created = await main.createGroup({
      elementsGroupDetailUpdate: { name: randomUUID(), members: [{ id: user.id }] },
    })
    const read = await main.getGroup({ id: created.id })
    const name = randomUUID()
    await main.updateGroup({ id: created.id, elementsGroupDetailUpdate: { ...read, name } })
    expect(await main.getGroup({ id: created.id })).toEqual({ ...read, name })
  })

  it('reads the profile, changes the language, and writes it', async () => {
    const read = await main.getProfile({})
    const language = ElementsUserProfileUpdateLanguageEnum.De
    await main.updateProfile({ elementsUserProfileUpdate: { ...read, language } })
    expect(await main.getProfile({})).toEqual({ ...read, language: 'de' })
  })

  it('writes a SAML provider as it was read, which keeps the key', async () => {
    const { pem, keyPem } = await makeCertificate()
    const created = await auth.createSAMLProvider({
      sAMLProviderUpdate: {
        entityId: `urn:idp:${randomUUID()}`,
        ssoUrl: 'https://idp.example.com/sso',
        certificate: pem,
        spCertificate: pem,
        spCertificateKey: keyPem,
      },
    })
    expect(created.spCertificateKey).toBe('********')
    const updated = await auth.updateSAMLProvider({ id: created.id, sAMLProviderUpdate: created })
    expect(updated).toEqual(created)
  })

  it('shares an object and finds the link', async () => {
    const media = new MediaLibraryApi(configure(admin.bearer))
    const expires = new Date('2099-01-01T00:00:00Z')
    const bundle = 4711
    const link = await media.shareMediaLibraryObjects({
      mediaLibraryShareRequest: { bundles: [bundle], expires, permissions: { allowRead: true } },
    })
    expect(link.expires).toEqual(expires)
    expect(link.createdAt).toBeInstanceOf(Date)
    const found = await auth.getAllAccessTokens({ sharedBundles: String(bundle) })
    expect(found).toEqual([link])
  })

  it('gets an error that it can read', async () => {
    const refused = main.getUser({ id: 2_147_483_647 })
    await expect(refused).rejects.toBeInstanceOf(Response)
    expect(await statusOf(main.getUser({ id: 2_147_483_647 }))).toBe(404)
    expect(await statusOf(new MainApi(configure('expired')).getProfile({}))).toBe(401)
  })
})
