import type { UseCase } from '../../http/use-case.ts'
import { notFound } from '../../kernel/errors/errors.ts'
import {
  type Credential,
  findCredentialIn,
  hashCredential,
  isSameHash,
  parseCredentialStart,
} from '../../kernel/secrets/credentials.ts'
import type { Services } from '../../services.ts'
import { countFailedLookup } from '../access/throttle.ts'
import { findAccessLink } from '../access-links/records.ts'
import { findApiTokenAndUser, findChosenOwner } from '../api-tokens/records.ts'
import { findUsers } from '../directory/users.records.ts'
import { findClientById } from '../oauth/clients.records.ts'
import { findSessionAndUser } from '../sign-in/sessions.records.ts'
import { findTicketAndUser } from '../tickets/records.ts'
import type { FoundCredential } from './models.ts'
import type { leaks } from './operations.ts'

type Found = Pick<FoundCredential, 'kind' | 'id' | 'user'> & { readonly name?: string }

/** Finds whose credential a value is. Only its hash is compared, and failures are counted like those of others. */
export const findCredential: UseCase<typeof leaks.findCredential> = async ({ body, context }, services) => {
  const found = await find(services, body.value.trim())
  if (!found) {
    await countFailedLookup(services, context)
    throw notFound('credential')
  }
  const [owner] = found.user === null ? [] : await findUsers(services.table, [found.user])
  return { status: 200, body: { ...found, name: found.name ?? null, user_name: owner?.username ?? null } }
}

const find = async (services: Services, value: string): Promise<Found | undefined> => {
  const credential = findCredentialIn(value)
  if (credential) return finders.get(credential.kind)?.(services, credential)
  const start = parseCredentialStart(value)
  if (start) return findByStart(services, start)
  const hash = hashCredential(value)
  const subject = await findChosenOwner(services.table, hash)
  return subject === undefined ? undefined : findApiToken(services, { subject, hash })
}

type Owned = Pick<Credential, 'subject' | 'hash'>
type Finder = (services: Services, owned: Owned) => Promise<Found | undefined>

const findApiToken: Finder = async ({ table }, { subject, hash }) => {
  const { token, user } = await findApiTokenAndUser(table, subject, hash)
  return token && user && { kind: 'api_token', id: token.id, name: token.name, user: user.id }
}

const findLink: Finder = async ({ table }, { subject, hash }) => {
  const link = await findAccessLink(table, subject)
  return link && isSameHash(link.hash, hash)
    ? { kind: 'access_token', id: link.id, user: link.createdBy }
    : undefined
}

const findSession: Finder = async ({ table }, { subject, hash }) => {
  const { session, user } = await findSessionAndUser(table, subject, hash)
  return session && user && { kind: 'session', id: session.id, user: user.id }
}

const findTicket: Finder = async ({ table }, { subject, hash }) => {
  const { ticket, user } = await findTicketAndUser(table, subject, hash)
  return ticket && user && { kind: 'auth_ticket', id: null, user: user.id }
}

const findClientSecret: Finder = async ({ table }, { subject, hash }) => {
  const client = await findClientById(table, subject)
  return client?.secrets.some((secret) => isSameHash(secret.hash, hash))
    ? { kind: 'oidc_client_secret', id: client.id, name: client.name, user: null }
    : undefined
}

const finders: ReadonlyMap<string, Finder> = new Map([
  ['api_token', findApiToken],
  ['access_token', findLink],
  ['session', findSession],
  ['auth_ticket', findTicket],
  ['oidc_client_secret', findClientSecret],
])

/** The beginning of a value names the user, the link or the client that it belongs to. */
const findByStart = async (
  { table }: Services,
  { kind, subject }: Pick<Credential, 'kind' | 'subject'>,
): Promise<Found | undefined> => {
  if (kind === 'access_token') {
    const link = await findAccessLink(table, subject)
    return link && { kind, id: link.id, user: link.createdBy }
  }
  if (kind === 'oidc_client_secret') {
    const client = await findClientById(table, subject)
    return client && { kind, id: client.id, name: client.name, user: null }
  }
  if (kind !== 'api_token' && kind !== 'session' && kind !== 'auth_ticket') return undefined
  const [owner] = await findUsers(table, [subject])
  return owner && { kind, id: null, user: owner.id }
}
