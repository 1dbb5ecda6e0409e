import type { AuditEvent } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { nameGuest } from '../kit/guest-name.ts'
import { loadConnectionName } from './event-object.tsx'

const t = messagesOf('audit')

/** A text as it stands within a sentence. */
export const toMidSentence = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** The name of a user in an event. */
export const namePerson = (id: number | null, name: string | null): string | undefined => {
  if (id === null) return undefined
  if (name === null) return t('deletedUser')
  const shown = nameGuest(name)
  return shown === name ? name : toMidSentence(shown)
}

/** The names of tokens by their ID, for each of their owners. Many events have the same ones. */
const loadedTokens = new Map<string, Promise<ReadonlyMap<number, string>>>()

interface NamedToken {
  readonly id: number
  readonly name: string
}

const loadTokens = (
  owner: string,
  list: () => Promise<{ readonly items: readonly NamedToken[] }>,
): Promise<ReadonlyMap<number, string>> => {
  const known = loadedTokens.get(owner)
  if (known) return known
  const names = list().then(
    ({ items }) => new Map(items.map(({ id, name }) => [id, name])),
    () => {
      // Asked for again, because it may have been the connection.
      loadedTokens.delete(owner)
      return new Map<number, string>()
    },
  )
  loadedTokens.set(owner, names)
  return names
}

/** The name of an API token of a user. Undefined if it was deleted. */
export const loadTokenName = async (owner: number, id: number): Promise<string | undefined> =>
  (await loadTokens(`user ${owner}`, () => client.apiTokens.listApiTokens({ user: owner }))).get(id)

const loadOrganizationTokenName = async (organization: number, id: number): Promise<string | undefined> =>
  (
    await loadTokens(`organization ${organization}`, () =>
      client.organizations.listOrganizationApiTokens(organization),
    )
  ).get(id)

/** The ID of the API token of an organization that acted. */
const findOrganizationToken = ({ actor_principal: principal }: AuditEvent): number | undefined => {
  const [, id] = /^organization-token:(\d+)$/.exec(principal ?? '') ?? []
  return id === undefined ? undefined : Number(id)
}

/** The ID of the connection whose directory acted. */
const findDirectory = ({ actor_principal: principal }: AuditEvent): number | undefined => {
  const [, id] = /^directory of connection:(\d+)$/.exec(principal ?? '') ?? []
  return id === undefined ? undefined : Number(id)
}

/** Whether a program acted with an API token, and not the person themselves. */
export const isByToken = (event: AuditEvent): boolean =>
  event.credential === 'api_token' || findOrganizationToken(event) !== undefined

/** The credential, the stack or the person that acted, as the subject of a sentence. Undefined if nobody is known. */
export const loadActor = async (event: AuditEvent): Promise<string | undefined> => {
  const { actor, credential, credential_id: id, organization } = event
  const directory = findDirectory(event)
  if (directory !== undefined) {
    const name = await loadConnectionName(directory)
    return name === undefined ? nameActor(event) : t('directoryActor', { name })
  }
  const token = findOrganizationToken(event)
  if (token !== undefined) {
    const name = organization && (await loadOrganizationTokenName(organization, token))
    return name ? t('organizationTokenActor', { name }) : t('organizationTokenById', { id: token })
  }
  if (credential === 'api_token' && actor !== null && id !== undefined) {
    const name = await loadTokenName(actor, id)
    return name === undefined ? nameActor(event) : t('tokenActor', { name })
  }
  return nameActor(event)
}

/** The same without a call: an API token by its owner. */
export const nameActor = (event: AuditEvent): string | undefined => {
  const { actor, actor_name: name, actor_principal: principal, credential } = event
  const person = namePerson(actor, name)
  if (person !== undefined) return credential === 'api_token' ? t('tokenOf', { name: person }) : person
  const token = findOrganizationToken(event)
  if (token !== undefined) return t('organizationTokenById', { id: token })
  const directory = findDirectory(event)
  if (directory !== undefined) return t('directoryById', { id: directory })
  return principal === undefined ? undefined : namePrincipal(principal)
}

/** The stack or the role of an ARN. The details of an event have all of it. */
const namePrincipal = (principal: string): string => {
  const last = principal.split(':').at(-1) ?? principal
  const [kind, name = last, session] = last.split('/')
  if (kind === 'stack') return t('stackActor', { name })
  return t('roleActor', { name: session === undefined ? name : `${name}/${session}` })
}
