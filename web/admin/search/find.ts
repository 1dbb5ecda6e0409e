import type { FoundCredential } from '../../../lib/client/generated/models.ts'
import { prefixPattern } from '../../../lib/kernel/util/credential-prefixes.ts'
import { toFailure } from '../../kit/call-api.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { isUnnamedGuest, nameGuest } from '../kit/guest-name.ts'
import { toAddress } from '../kit/route.ts'
import { listPlaces, type PlaceName, rankPlaces, type Sections, type Setting } from './places.ts'

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
  | 'actions'
  | 'addresses'
  | 'guides'

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
const shownPlaces = 12

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
    ...(can('users:view') ? [findPeople(text, can, options), findGroups(text, options)] : []),
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

/** `end everything of ada` finds ada, too. */
const endPhrase = /^end everything (?:of|for) /i

const findPeople = async (text: string, can: Can, options: Options): Promise<readonly Found[]> => {
  const filter = text.replace(endPhrase, '')
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
  const people = [...(one ? [one] : []), ...items.filter(({ id }) => id !== one?.id)]
  const ends = (can('system:admin-access') ? people : [])
    .slice(0, endPhrase.test(text) ? shownOfKind : 1)
    .filter(({ username }) => !isUnnamedGuest(username))
    .map(
      ({ id, username }): Found => ({
        kind: 'actions',
        name: t('endEverything', { name: username }),
        address: toAddress('users', [id, 'end']),
      }),
    )
  const rows = people.map(
    ({ id, username, display_name: name, email }): Found => ({
      kind: 'people',
      name: nameGuest(username),
      note: isUnnamedGuest(username)
        ? undefined
        : ([name, email].find((other) => other && other !== username) ?? undefined),
      address: toAddress('users', [id]),
    }),
  )
  return endPhrase.test(text) ? [...ends, ...rows] : [...rows, ...ends]
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
    note: nameGuest(user.display_name),
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

const ipAddress = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]{0,4}(?::[\da-f]{0,4}){2,7})$/i
const permissionName = /^[a-z][a-z\d_-]*:[a-z][a-z\d_:-]*$/

/** Finds what the form of a text leads to without a call: an IP address to its events, and a permission to those who hold it. */
const findForms = (text: string, can: Can): readonly Found[] => [
  ...(ipAddress.test(text) && can('system:admin-access')
    ? [
        {
          kind: 'addresses' as const,
          name: t('eventsFrom', { address: text }),
          address: toAddress('audit-events', [], { find: text }),
        },
      ]
    : []),
  ...(ipAddress.test(text) && can('users:manage')
    ? [
        {
          kind: 'addresses' as const,
          name: t('refusedFrom', { address: text }),
          address: toAddress('blocks'),
        },
      ]
    : []),
  ...(permissionName.test(text) && can('users:view')
    ? [
        {
          kind: 'actions' as const,
          name: t('holders', { name: text }),
          address: toAddress('users', [], { permission: text }),
        },
      ]
    : []),
]

/**
 * Finds sections, settings and actions by their words, in the language of the page and in English. Without a text, all sections.
 */
export const findPlaces = (
  text: string,
  allowed: Sections,
  can: Can,
  settings: readonly Setting[],
): readonly Found[] => {
  if (knownValue.test(text)) return []
  const labeled = allowed.map(({ name, label }) => ({ name, label: consoleText(label) }))
  if (text === '')
    return labeled.map(({ name, label }) => ({ kind: 'places', name: label, address: toAddress(name) }))
  const say = (name: PlaceName, values: Readonly<Record<string, string>> = {}): string =>
    name === 'addProvider' ? t(name, { name: values['name'] ?? '' }) : t(name)
  return [
    ...findForms(text, can),
    ...rankPlaces(listPlaces({ allowed: labeled, can, say, settings }), text).slice(0, shownPlaces),
  ]
}

/** Puts records of exactly this name first, then places, then all other records. */
export const orderFound = (
  text: string,
  records: readonly Found[],
  places: readonly Found[],
): readonly Found[] => {
  const isFirst = ({ kind, name, note }: Found): boolean =>
    kind === 'value' ||
    [name, note].some((own) => own?.toLocaleLowerCase().startsWith(text.toLocaleLowerCase()))
  return [...records.filter(isFirst), ...places, ...records.filter((row) => !isFirst(row))]
}
