import type { FoundCredential } from '../../../lib/client/generated/models.ts'
import { prefixPattern } from '../../../lib/kernel/util/credential-prefixes.ts'
import { toFailure } from '../../kit/call-api.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { nameGuest } from '../kit/guest-name.ts'
import { toAddress } from '../kit/route.ts'
import type { sections } from '../sections.ts'

const consoleText = messagesOf('console')
const t = messagesOf('search')

type Kind =
  | 'value'
  | 'people'
  | 'groups'
  | 'organizations'
  | 'apps'
  | 'connections'
  | 'links'
  | 'tokens'
  | 'places'

/** What the search found, and where it is. */
export interface Found {
  readonly kind: Kind
  readonly name: string
  readonly note?: string | undefined
  readonly address: string
}

type Can = (permission: string) => boolean
interface Options {
  readonly signal: AbortSignal
}

const shownOfKind = 5

/** Values of this service begin like this. They are sent in no address, because addresses are logged. */
const knownValue = new RegExp(`${prefixPattern}_`)
/** A token whose value its owner chose has no blanks, and at least as many characters. */
const possibleValue = /^[^\s@]{16,}$/

/** Finds records of all kinds that the person may read. A value of a token is only sent in the body of a request. */
export const findAll = async (text: string, can: Can, options: Options): Promise<readonly Found[]> => {
  const isKnown = knownValue.test(text)
  if (can('system:admin-access') && (isKnown || possibleValue.test(text))) {
    const found = await findValue(text, options)
    if (found) return [found]
  }
  if (isKnown || text.length > 255) return []
  const mayOversee = can('system:admin-access')
  const parts = await Promise.all([
    ...(can('users:view') ? [findPeople(text, options), findGroups(text, options)] : []),
    ...(can('organizations:view') ? [findOrganizations(text, options)] : []),
    ...(mayOversee
      ? [
          findApps(text, options),
          findConnections(text, options),
          findLinks(text, options),
          findTokens(text, options),
        ]
      : []),
  ])
  return parts.flat()
}

const findValue = async (value: string, options: Options): Promise<Found | undefined> => {
  try {
    return showValue(await client.leaks.findCredential({ value }, options))
  } catch (error) {
    if (toFailure(error).status === 404) return undefined
    throw error
  }
}

const showValue = ({ kind, id, name, user, user_name: owner }: FoundCredential): Found => {
  const note = owner ? t('of', { name: owner }) : undefined
  if (kind === 'access_token')
    return {
      kind: 'value',
      name: t('aLink', { id: String(id) }),
      note,
      address: toAddress('access-links', [id ?? 0]),
    }
  if (kind === 'oidc_client_secret')
    return { kind: 'value', name: t('aSecret', { name: name ?? '' }), address: toAddress('apps', [id ?? 0]) }
  const person = String(user ?? 0)
  if (kind === 'api_token')
    return {
      kind: 'value',
      name: name === null ? t('someToken') : t('aToken', { name }),
      note,
      address: toAddress('api-tokens', [], { user: person, name: name ?? undefined }),
    }
  return {
    kind: 'value',
    name: t(kind === 'session' ? 'aSession' : 'aTicket'),
    note,
    address: toAddress('users', [person]),
  }
}

const isNumber = (text: string): boolean => /^[1-9]\d{0,9}$/.test(text)

const findPeople = async (filter: string, options: Options): Promise<readonly Found[]> => {
  const query = {
    filter,
    limit: shownOfKind,
    ordering: 'username',
    include_effective_permissions: false,
  } as const
  const numbered = isNumber(filter)
    ? client.users
        .getUser(Number(filter), { include_effective_permissions: false }, options)
        .catch((error: unknown) => {
          if (toFailure(error).status !== 404) throw error
          return undefined
        })
    : undefined
  const [{ items }, one] = await Promise.all([client.users.listUsers(query, options), numbered])
  return [...(one ? [one] : []), ...items.filter(({ id }) => id !== one?.id)].map(
    ({ id, username, display_name: name, email }) => ({
      kind: 'people',
      name: nameGuest(username),
      note: [name, email].find((other) => other && other !== username) ?? undefined,
      address: toAddress('users', [id]),
    }),
  )
}

const findGroups = async (filter: string, options: Options): Promise<readonly Found[]> => {
  const { items } = await client.groups.listGroups(
    { filter, limit: shownOfKind, include_members: false },
    options,
  )
  return items.map(({ id, name }) => ({ kind: 'groups', name, address: toAddress('groups', [id]) }))
}

const findOrganizations = async (filter: string, options: Options): Promise<readonly Found[]> => {
  const { items } = await client.organizations.listOrganizations({ filter, limit: shownOfKind }, options)
  return items.map(({ id, name, slug }) => ({
    kind: 'organizations',
    name,
    note: slug,
    address: toAddress('organizations', [id]),
  }))
}

const findApps = async (filter: string, options: Options): Promise<readonly Found[]> => {
  const { items } = await client.oidcClients.listOidcClients({ filter, limit: shownOfKind }, options)
  return items.map(({ id, name }) => ({ kind: 'apps', name, address: toAddress('apps', [id]) }))
}

const includes = (name: string, filter: string): boolean =>
  name.toLocaleLowerCase().includes(filter.toLocaleLowerCase())

/** How many of those are read that the service cannot search. */
const readOfKind = 300

const findConnections = async (filter: string, options: Options): Promise<readonly Found[]> => {
  const page = { limit: readOfKind }
  const [saml, oidc] = await Promise.all([
    client.connections.listSamlProviders(page, options),
    client.oidcConnections.listOidcConnections(page, options),
  ])
  return [
    ...saml.items.map(({ id, name }) => ({ id, name, way: 'saml' })),
    ...oidc.items.map(({ id, name }) => ({ id, name, way: 'oidc' })),
  ]
    .filter(({ name }) => includes(name, filter))
    .slice(0, shownOfKind)
    .map(({ id, name, way }) => ({ kind: 'connections', name, address: toAddress('connections', [way, id]) }))
}

const findLinks = async (filter: string, options: Options): Promise<readonly Found[]> => {
  const { items } = await client.accessLinks.listAccessTokens(
    { filter, limit: shownOfKind, ordering: '-id' },
    options,
  )
  return items.map(({ id, user, shared_bundles: bundles, shared_directories: directories }) => ({
    kind: 'links',
    name: [...bundles, ...directories].map(({ name }) => name).join(', ') || t('aLink', { id: String(id) }),
    note: user.display_name,
    address: toAddress('access-links', [id]),
  }))
}

const findTokens = async (filter: string, options: Options): Promise<readonly Found[]> => {
  const { items } = await client.apiTokens.listApiTokensOfAllUsers({ limit: readOfKind }, options)
  return items
    .filter(({ name }) => includes(name, filter))
    .slice(0, shownOfKind)
    .map(({ name, user }) => ({
      kind: 'tokens',
      name,
      note: user.username,
      address: toAddress('api-tokens', [], { user: String(user.id), name }),
    }))
}

/** Settings that the name of their section does not contain: the message that names them, their section, and English words. */
const settings = [
  ['passwordRules', 'policies', 'password policy rules length'],
  ['secondFactor', 'policies', 'second factor two-step verification mfa 2fa totp passkey'],
  ['accountDeletion', 'policies', 'account deletion delete policy'],
  ['emailCodes', 'policies', 'code by email sign-in'],
  ['logo', 'branding', 'logo colors theme texts support address'],
  ['certificates', 'connections', 'saml oidc sso certificate metadata domain company'],
  ['locked', 'blocks', 'locked rate limit throttled bounce suppressed'],
  ['functions', 'hooks', 'hook function lambda action trigger beforesignup aftersignin beforetoken'],
  ['clients', 'apps', 'oauth openid connect client secret redirect'],
] as const

export type Sections = typeof sections

/** Finds sections and settings by their words, in the language of the page and in English. Without a text, all sections. */
export const findPlaces = (text: string, allowed: Sections): readonly Found[] => {
  if (knownValue.test(text)) return []
  const names = new Map(allowed.map(({ name, label }) => [name, consoleText(label)]))
  const places = [
    ...allowed.map(({ name, label }) => ({
      name: consoleText(label),
      note: undefined,
      words: name.replaceAll('-', ' '),
      section: name,
    })),
    ...settings.flatMap(([label, section, words]) => {
      const note = names.get(section)
      return note && text ? [{ name: t(label), note, words, section }] : []
    }),
  ]
  return places
    .filter(({ name, words }) => includes(name, text) || includes(words, text))
    .map(({ name, note, section }) => ({ kind: 'places', name, note, address: toAddress(section) }))
}
