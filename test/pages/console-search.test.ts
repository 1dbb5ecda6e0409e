import { expect, it, vi } from 'vitest'
import { en } from '../../web/messages/console/en.ts'

/* What people type into the search of the console, and the place that they should see first. */

vi.stubGlobal('location', { hash: '' })
vi.stubGlobal('addEventListener', () => undefined)

/** A module of the console, which is type-checked with the pages: their types are those of browsers. */
const load = <Module>(path: string): Promise<Module> => import(/* @vite-ignore */ `../../web/admin/${path}`)

interface Place {
  readonly kind: string
  readonly name: string
  readonly address: string
}
const { listPlaces, rankPlaces } = await load<{
  readonly listPlaces: (input: {
    readonly allowed: readonly { readonly name: string; readonly label: string }[]
    readonly can: (permission: string) => boolean
    readonly say: (name: keyof typeof en.search, values?: Readonly<Record<string, string>>) => string
    readonly settings: readonly never[]
  }) => readonly Place[]
  readonly rankPlaces: (places: readonly Place[], text: string) => readonly Place[]
}>('search/places.ts')
const { sections } = await load<{
  readonly sections: readonly {
    readonly name: string
    readonly label: keyof typeof en.console
    readonly permission: string
  }[]
}>('sections.ts')

const list = (can: (permission: string) => boolean) =>
  listPlaces({
    allowed: sections
      .filter(({ permission }) => can(permission))
      .map(({ name, label }) => ({ name, label: en.console[label] })),
    can,
    say: (name, values) => en.search[name].replace('{name}', values?.['name'] ?? ''),
    settings: [],
  })
const places = list(() => true)

it.each([
  ['okta', '#/connections'],
  ['next', '#/apps'],
  ['dark', '#/branding'],
  ['session', '#/users'],
  ['role', '#/organizations/roles'],
  ['invite', '#/users/new'],
  ['usage', '#/activity'],
  ['webhook', '#/audit-events'],
  ['impersonate', '#/users'],
  ['delete user', '#/users'],
  ['two-factor', '#/policies/second-factor'],
  ['2FA', '#/policies/second-factor'],
  ['MFA', '#/policies/second-factor'],
  ['totp', '#/policies/second-factor'],
  ['SSO', '#/connections'],
  ['Organisation', '#/organizations'],
  ['saml', '#/connections'],
  ['scim', '#/connections'],
  ['new user', '#/users/new'],
  ['create user', '#/users/new'],
  ['new group', '#/groups/new'],
  ['new organization', '#/organizations/new'],
  ['new app', '#/apps/new'],
  ['new api', '#/apis/new'],
  ['new api token', '/account#/api-tokens'],
  ['add google', '#/connections/oidc/new'],
  ['add apple', '#/connections/oidc/new'],
  ['add microsoft', '#/connections/oidc/new'],
  ['add github', '#/connections/oidc/new'],
  ['set up company sign-in', '#/connections/new'],
  ['try a sign-in', '#/apps'],
  ['api key', '#/api-tokens'],
  ['logo', '#/branding'],
  ['users', '#/users'],
  ['audit log', '#/audit-events'],
  ['rate limit', '#/blocks'],
  ['locked', '#/blocks'],
  ['magic link', '#/policies/email-codes'],
  ['agents', '#/apis/agents'],
  ['mcp', '#/apis/agents'],
  ['Rolle', '#/organizations/roles'],
  ['deux facteurs', '#/policies/second-factor'],
  ['oscuro', '#/branding'],
  ['招待', '#/users/new'],
])('%s leads to %s', (text, address) => {
  expect(rankPlaces(places, text)[0]?.address).toBe(address)
})

it('finds nothing for what is no word of the console', () => {
  expect(rankPlaces(places, 'zxqwv')).toEqual([])
  expect(rankPlaces(places, '__proto__')).toEqual([])
})

it('offers nothing that a person may not do', () => {
  const seen = list((permission) => permission === 'users:view')
  for (const text of ['new user', 'new app', 'add google', 'roles', 'second factor'])
    expect(rankPlaces(seen, text).map(({ kind }) => kind)).not.toContain('actions')
  expect(seen.map(({ address }) => address)).toEqual(['#/users', '#/groups', '#/user-templates'])
})
