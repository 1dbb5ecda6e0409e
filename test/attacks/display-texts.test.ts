import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import type { Answer } from '../support/client.ts'
import { makeIdp } from '../support/idp.ts'
import { bundle, directory, postLink } from '../support/links.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { addProvider, signInByConnection, userOfSession } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* Names that show nothing, or that contain invisible characters. Pages and emails show them next to those of others. */

const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

const send = (method: string, path: string, body: object, bearer = admin.bearer): Promise<Answer> =>
  service.client(method, `/api/2/${path}`, { bearer, body })

/** Each sends a name in one field of one operation. */
const fields: Readonly<Record<string, (text: string) => Promise<Answer>>> = {
  'the name of a new user': (full_name) =>
    send('POST', 'users', { username: randomUUID(), permissions: [], groups: [], full_name }),
  'the name of another user': async (full_name) =>
    send('PATCH', `users/${(await addPerson(service)).user.id}`, { full_name }),
  'the own name': (full_name) => send('PATCH', 'users/me', { full_name }),
  'a Unix username': async (unix_username) =>
    send('PATCH', `users/${(await addPerson(service)).user.id}`, { unix_username }),
  'a Unix group name': (unix_groupname) => send('POST', 'groups', { name: randomUUID(), unix_groupname }),
  'an API token': (name) => send('POST', 'api-tokens', { name }),
  'the product': (product_name) => send('PUT', 'branding', { product_name }),
  'a password rule': (group_name) =>
    send('PUT', 'system/password-policy', { rules: [{ group_name, group_regex: '[a-z]', min_count: 1 }] }),
  'a group': (name) => send('POST', 'groups', { name }),
  'a template': (name) => send('POST', 'user-templates', { name }),
  'a client': (name) => send('POST', 'oidc-clients', { name, redirect_uris: ['https://app.example.com/'] }),
  'a shared bundle': (name) => postLink(service, admin.bearer, { bundles: [bundle({ name })] }),
  'a shared directory': (name) =>
    postLink(service, admin.bearer, { bundles: [], directories: [directory({ name })] }),
}

const nothing = {
  'a filler of Hangul': '\u3164',
  'a half-width filler': '\uffa0\u115f',
  'a Braille blank': '\u2800',
  spaces: ' \u2003\u00a0',
  joiners: '\u200d\u200c',
}
const hidden = {
  NUL: 'Ann\u0000Lee',
  'a line break': 'Ann\nLee',
  'a line separator': 'Ann\u2028Lee',
  'half a character': 'Ann\ud800',
}
const inNamesOfPeople = {
  'an override of the direction': 'Ann\u202eeeL',
  'a space without width': 'Ann\u200bLee',
  'a filler within': 'Ann\u3164Lee',
}

describe.each(Object.entries(fields))('%s', (field, sendText) => {
  it.each(Object.entries({ ...nothing, ...hidden }))(
    'is refused if it has only or also %s',
    async (_, text) => {
      const answer = await sendText(text)
      expect(answer.status, answer.text).toBe(400)
      expect(answer.body.errors).toHaveLength(1)
    },
  )

  if (!field.startsWith('a shared'))
    it.each(Object.entries(inNamesOfPeople))('is refused if it has %s', async (_, text) => {
      expect((await sendText(text)).status).toBe(400)
    })
})

describe('a name in any writing', () => {
  const names = [
    'Zoë',
    'رضا می‌خواهد',
    '葛\u{e0100}飾',
    '👩\u200d👧 🏴\u{e0067}\u{e0062}\u{e007f}',
    'דן\u200f (Dan)',
  ]

  it.each(names)('can be %j', async (full_name) => {
    expect((await send('PATCH', 'users/me', { full_name })).body.full_name).toBe(full_name)
    expect((await send('POST', 'api-tokens', { name: full_name })).status).toBe(201)
  })

  it('can be removed, by null and by an empty text', async () => {
    for (const full_name of [null, ''])
      expect((await send('PATCH', 'users/me', { full_name })).status).toBe(200)
  })
})

it('shares objects with the names of files that other programs made', async () => {
  for (const name of ['Screen\u200e Shot 10.32\u202fAM.png', '\ufeffreport.csv', 'soft\u00adhyphen.mov'])
    expect((await postLink(service, admin.bearer, { bundles: [bundle({ name })] })).status).toBe(201)
})

it('shows no invisible part of a name from an identity provider', async () => {
  const provider = await addProvider(service, await makeIdp(), { auto_create_users: true })
  const findName = async (displayName: string) => {
    const attributes = { uid: randomUUID(), displayName }
    const { session } = await signInByConnection(service, provider, { nameId: randomUUID(), attributes })
    return (await findUser(service.services.table, (await userOfSession(service, session)) ?? 0))?.full_name
  }
  expect(await findName('Ann\u202e\u200b Lee')).toBe('Ann Lee')
  expect(await findName('\u3164')).toBeNull()
})
