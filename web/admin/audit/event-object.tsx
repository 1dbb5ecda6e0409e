import type { AuditEvent } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { toAddress } from '../kit/route.ts'

const t = messagesOf('audit')

/** How an object is named and found. */
interface ObjectKind {
  readonly label: 'app' | 'api' | 'group' | 'connection' | 'userTemplate' | 'accessLink' | 'apiToken'
  readonly path?: (id: number) => string
  readonly load?: (id: number) => Promise<{ readonly name: string }>
}

const kinds = {
  app: {
    label: 'app',
    path: (id) => toAddress('apps', [id]),
    load: (id) => client.oidcClients.getOidcClient(id),
  },
  api: {
    label: 'api',
    path: (id) => toAddress('apis', [id]),
    load: (id) => client.oidcClients.getProtectedApi(id),
  },
  group: {
    label: 'group',
    path: (id) => toAddress('groups', [id]),
    load: (id) => client.groups.getGroup(id),
  },
  saml: {
    label: 'connection',
    path: (id) => toAddress('connections', ['saml', id]),
    load: (id) => client.samlProviders.getSamlProvider(id),
  },
  oidc: {
    label: 'connection',
    path: (id) => toAddress('connections', ['oidc', id]),
    load: (id) => client.oidcConnections.getOidcConnection(id),
  },
  userTemplate: {
    label: 'userTemplate',
    path: (id) => toAddress('user-templates', [id]),
    load: (id) => client.userTemplates.getUserTemplate(id),
  },
  accessLink: { label: 'accessLink', path: (id) => toAddress('access-links', [id]) },
  apiToken: { label: 'apiToken' },
} as const satisfies Readonly<Record<string, ObjectKind>>
type KindName = keyof typeof kinds

/** The kind of object whose ID a target begins with, by the first word of the event. */
const kindsByArea: ReadonlyMap<string, KindName> = new Map([
  ['oidc_client', 'app'],
  ['protected_api', 'api'],
  ['group', 'group'],
  ['admin_access', 'group'],
  ['saml_provider', 'saml'],
  ['saml_setup', 'saml'],
  ['oidc_connection', 'oidc'],
  ['user_template', 'userTemplate'],
  ['access_token', 'accessLink'],
  ['api_token', 'apiToken'],
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
      : kindsByArea.get(event.slice(0, event.indexOf('.')))
  return kind && { kind, id: Number(id) }
}

/** What was loaded, by kind and ID. Many events are about the same object. */
const loadedNames = new Map<string, Promise<string | undefined>>()

const loadName = (kind: KindName, id: number): Promise<string | undefined> => {
  const { load }: ObjectKind = kinds[kind]
  const key = `${kind} ${id}`
  // A deleted object has no name, and neither has one that the person may not see.
  const name =
    loadedNames.get(key) ??
    load?.(id).then(
      (found) => found.name,
      () => undefined,
    ) ??
    Promise.resolve(undefined)
  loadedNames.set(key, name)
  return name
}

/** The object of an event by its name, with a link to it. */
export const EventObject = ({ event }: { readonly event: AuditEvent }) => {
  const found = findObject(event)
  return found ? <NamedObject key={`${found.kind} ${found.id}`} {...found} /> : <>–</>
}

const NamedObject = ({ kind, id }: FoundObject) => {
  const { value: name } = useLoaded(() => loadName(kind, id))
  const { label, path }: ObjectKind = kinds[kind]
  const text = name === undefined ? t('objectById', { kind: t(label), id }) : name
  return (
    <>
      {path ? <a href={path(id)}>{text}</a> : text}
      {name !== undefined && <div class="note">{t(label)}</div>}
    </>
  )
}
