import type { AuditEvent } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { toAddress } from '../kit/route.ts'

const t = messagesOf('audit')

/** How an object is named and found. */
interface ObjectKind {
  readonly label:
    | 'app'
    | 'api'
    | 'group'
    | 'connection'
    | 'userTemplate'
    | 'accessLink'
    | 'apiToken'
    | 'organizationObject'
  readonly path?: (id: number) => string
  /** Lists the objects that exist, so that a deleted one is not asked for. */
  readonly list?: () => Promise<{ readonly items: readonly { readonly id: number; readonly name: string }[] }>
}

/** The protocols of connections, whose IDs are of one sequence. Known once their lists were read. */
const protocols = new Map<number, 'saml' | 'oidc'>()

const listConnections = async () => {
  const [saml, oidc] = await Promise.all([
    client.connections.listSamlProviders(),
    client.oidcConnections.listOidcConnections(),
  ])
  for (const { id } of saml.items) protocols.set(id, 'saml')
  for (const { id } of oidc.items) protocols.set(id, 'oidc')
  return { items: [...saml.items, ...oidc.items] }
}

const kinds = {
  app: {
    label: 'app',
    path: (id) => toAddress('apps', [id]),
    list: () => client.oidcClients.listOidcClients(),
  },
  api: {
    label: 'api',
    path: (id) => toAddress('apis', [id]),
    list: () => client.oidcClients.listProtectedApis(),
  },
  group: {
    label: 'group',
    path: (id) => toAddress('groups', [id]),
    list: () => client.groups.listGroups({ include_members: false }),
  },
  saml: {
    label: 'connection',
    path: (id) => toAddress('connections', ['saml', id]),
    list: () => client.connections.listSamlProviders(),
  },
  oidc: {
    label: 'connection',
    path: (id) => toAddress('connections', ['oidc', id]),
    list: () => client.oidcConnections.listOidcConnections(),
  },
  connection: {
    label: 'connection',
    path: (id) => toAddress('connections', [protocols.get(id) ?? 'saml', id]),
    list: listConnections,
  },
  userTemplate: {
    label: 'userTemplate',
    path: (id) => toAddress('user-templates', [id]),
    list: () => client.userTemplates.listUserTemplates(),
  },
  accessLink: { label: 'accessLink', path: (id) => toAddress('access-links', [id]) },
  apiToken: { label: 'apiToken' },
  organization: {
    label: 'organizationObject',
    path: (id) => toAddress('organizations', [id]),
    list: () => client.organizations.listOrganizations(),
  },
} as const satisfies Readonly<Record<string, ObjectKind>>
type KindName = keyof typeof kinds

/** The kind of object whose ID a target begins with, by the event or its first word. */
const kindsByArea: ReadonlyMap<string, KindName> = new Map([
  ['oidc_client', 'app'],
  ['protected_api', 'api'],
  ['group', 'group'],
  ['admin_access', 'group'],
  ['saml_provider', 'saml'],
  ['saml_setup', 'saml'],
  ['oidc_connection', 'oidc'],
  ['connection', 'connection'],
  ['scim.changed', 'connection'],
  ['scim.token_created', 'connection'],
  ['scim.token_deleted', 'connection'],
  ['user_template', 'userTemplate'],
  ['access_token', 'accessLink'],
  ['api_token', 'apiToken'],
  ['organization', 'organization'],
])

interface FoundObject {
  readonly kind: KindName
  readonly id: number
}

/** The object besides the user that an event is about. Undefined if its target is something else, or nothing. */
export const findObject = ({ event, target }: AuditEvent): FoundObject | undefined => {
  const [, protocol, id] = /^(?:(saml|oidc):)?([1-9]\d{0,8})(?: |$)/.exec(target ?? '') ?? []
  if (id === undefined) return undefined
  const kind =
    protocol === 'saml' || protocol === 'oidc'
      ? protocol
      : (kindsByArea.get(event) ?? kindsByArea.get(event.slice(0, event.indexOf('.'))))
  return kind && { kind, id: Number(id) }
}

/** The names of the objects of each kind, by ID. Many events are about the same ones. */
const loadedNames = new Map<KindName, Promise<ReadonlyMap<number, string>>>()

const loadNames = (kind: KindName): Promise<ReadonlyMap<number, string>> => {
  const { list }: ObjectKind = kinds[kind]
  // A deleted object has no name, and neither has one that the person may not see.
  const names =
    list?.().then(
      ({ items }) => new Map(items.map((item) => [item.id, item.name])),
      () => {
        // Asked for again, because it may have been the connection.
        loadedNames.delete(kind)
        return new Map<number, string>()
      },
    ) ?? Promise.resolve(new Map<number, string>())
  loadedNames.set(kind, names)
  return names
}

/** The objects that were in no list, so that it is not read again for each of their events. */
const missing = new Set<string>()

const loadName = async ({ kind, id }: FoundObject): Promise<string | undefined> => {
  const known = loadedNames.get(kind)
  const name = (await known)?.get(id)
  if (name !== undefined || missing.has(`${kind} ${id}`)) return name
  // It may have been created since the list was read.
  const current = loadedNames.get(kind)
  const names = await (current && current !== known ? current : loadNames(kind))
  if (names.size > 0 && !names.has(id)) missing.add(`${kind} ${id}`)
  return names.get(id)
}

/** The name of a connection. Undefined if it was deleted. */
export const loadConnectionName = (id: number): Promise<string | undefined> =>
  loadName({ kind: 'connection', id })

/** The name of an object, or else its kind and ID. */
export const loadObjectName = async (found: FoundObject): Promise<string> =>
  (await loadName(found)) ?? t('objectById', { kind: t(kinds[found.kind].label), id: found.id })

/** The object of an event by its name, with a link to it. */
export const EventObject = ({ event }: { readonly event: AuditEvent }) => {
  const found = findObject(event)
  return found ? <NamedObject key={`${found.kind} ${found.id}`} {...found} /> : <>–</>
}

const NamedObject = ({ kind, id }: FoundObject) => {
  const { value: name } = useLoaded(() => loadName({ kind, id }))
  const { label, path, list }: ObjectKind = kinds[kind]
  const text = name === undefined ? t('objectById', { kind: t(label), id }) : name
  // What has a list and is not in it was deleted.
  const isThere = list === undefined || name !== undefined
  return (
    <>
      {path && isThere ? <a href={path(id)}>{text}</a> : text}
      {name !== undefined && <div class="note">{t(label)}</div>}
    </>
  )
}
