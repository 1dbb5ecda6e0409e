import { errors } from 'oidc-provider'
import type { SessionPrincipal } from '../../accounts/callers/principal.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { consume } from '../../accounts/callers/throttle.ts'
import { changeSteps } from '../../accounts/events/change-event.ts'
import { describeChanges } from '../../accounts/events/describe-changes.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { AppError, ConflictError } from '../../kernel/errors/errors.ts'
import {
  clientDocumentFreshMs,
  clientDocumentKeysMs,
  clientDocumentStaleMs,
  clientDocumentsMax,
} from '../../kernel/limits/limits.ts'
import { editUniqueNameRecord } from '../../kernel/table/unique-name-records.ts'
import { getNetwork } from '../../kernel/util/network.ts'
import type { Services } from '../../services.ts'
import { FetchError } from '../connections/fetch-error.ts'
import { clientFields, newClient } from './clients.models.ts'
import {
  allocateClientId,
  type ClientRecord,
  clientKind,
  createClientRecord,
  findClient,
} from './clients.records.ts'
import { type DocumentPlace, readDocumentAddress } from './document-address.ts'
import { listProtectedApis } from './protected-apis.records.ts'
import {
  type DescribedClient,
  isCallbackOf,
  readClientDocument,
  refuseDocument,
} from './read-client-document.ts'

/*
 * Clients that no administrator registered. Their identifier is the address of a document that says where their codes go
 * (OAuth Client ID Metadata Document). The name that a document claims is never shown, because it can claim any name.
 */

/** Who comes from a client, with the user if they are signed in. */
interface Requester {
  readonly context: RequestContext
  readonly principal: SessionPrincipal | undefined
}

/**
 * Finds the client of an authorization by the address of its document. The document is read again after some minutes. If that is
 * not possible, what it said before counts for a day.
 *
 * @throws InvalidClient if the agent policy does not allow the address, or there is no document that can be used
 * @throws AppError `too_many_requests` if too many were read
 */
export const findDocumentClient = async (
  services: Services,
  requester: Requester,
  clientId: string,
): Promise<ClientRecord> => {
  const place = await readDocumentAddress(services, clientId)
  if (!place.address) throw new errors.InvalidClient(place.refusal)
  const known = await findClient(services.table, clientId)
  if (!known) {
    await countNewDocument(services, requester, place.address)
    return readClient(services, requester.context, { place, known })
  }
  const isCurrent =
    known.document?.policyVersion === place.policyVersion && getAge(services, known) < clientDocumentFreshMs
  const client = isCurrent ? known : await readAgain(services, requester.context, { place, known })
  // What was stored may be older than the policy, if the document could not be read again.
  return { ...client, redirect_uris: client.redirect_uris.filter((uri) => isCallbackOf(place, uri)) }
}

/**
 * The client of an assertion with the keys that its document names now: a key that was withdrawn ends after some minutes, and a new
 * one counts after a minute. Undefined if the document no longer describes a client.
 *
 * @throws AppError `too_many_requests` if the document was read too often, and what it said is a day old
 */
export const renewDocumentKeys = async (
  services: Services,
  context: RequestContext,
  known: ClientRecord,
  kid: string | undefined,
): Promise<ClientRecord | undefined> => {
  const place = await readDocumentAddress(services, known.clientId)
  if (!place.address) return undefined
  const hasKey = kid === undefined || known.public_keys?.some((key) => key.kid === kid)
  if (getAge(services, known) < (hasKey ? clientDocumentFreshMs : clientDocumentKeysMs)) return known
  return readAgain(services, context, { place, known }).catch((error: unknown) => {
    if (error instanceof errors.InvalidClient) return undefined
    throw error
  })
}

const getAge = ({ now }: Pick<Services, 'now'>, { document }: ClientRecord): number =>
  document ? now() - document.readAt : Number.POSITIVE_INFINITY

/**
 * Counts a document before it is read for the first time, because anyone can cause it. Users who are signed in have a part of their
 * own, so that requests of strangers do not keep them from a new agent, however many networks these come from.
 */
const countNewDocument = async (
  services: Services,
  { context, principal }: Requester,
  { host }: URL,
): Promise<void> => {
  const requester = principal ? String(principal.session.userId) : getNetwork(context.address)
  await consume(services, 'clientDocumentsPerRequester', requester)
  await consume(services, 'clientDocuments', principal ? host : `signed out ${host}`)
}

interface Reading {
  readonly place: DocumentPlace
  readonly known: ClientRecord | undefined
}

/** Reads a document that was read before. It has a limit of its own, which made-up addresses do not use up. */
const readAgain = async (
  services: Services,
  context: RequestContext,
  { place, known }: Reading & { readonly known: ClientRecord },
): Promise<ClientRecord> => {
  const isUsable = getAge(services, known) < clientDocumentStaleMs
  try {
    await consume(services, 'clientDocumentRenewals', place.address.href)
    return await readClient(services, context, { place, known })
  } catch (error) {
    const isUnread =
      error instanceof UnreadDocument || (error instanceof AppError && error.code === 'too_many_requests')
    if (isUnread && isUsable) return known
    throw error
  }
}

/** A document that could not be fetched. To the client, it is one that cannot be used. */
class UnreadDocument extends errors.InvalidClient {}

const readClient = async (
  services: Services,
  context: RequestContext,
  { place, known }: Reading,
): Promise<ClientRecord> => {
  const described = await readClientDocument(services, place).catch((error: unknown) => {
    if (!(error instanceof FetchError)) throw error
    throw new UnreadDocument(`the document that client_id names could not be read (${error.reason})`)
  })
  const { address, policyVersion } = place
  return storeClient(services, context, known, { clientId: address.href, policyVersion, ...described })
}

/** What clients get that no administrator registered. Their name is their address, so that none can have that of another app. */
const fixedFields = {
  ...newClient,
  apis: [],
  secrets: [],
  scopes: ['openid', 'profile', 'email', 'offline_access'],
  createdBy: null,
} satisfies Partial<ClientRecord>

type Described = DescribedClient & Pick<ClientRecord, 'clientId'> & Pick<DocumentPlace, 'policyVersion'>

/** Stores what a document says, with the APIs that such clients may ask for now. */
const storeClient = async (
  services: Services,
  context: RequestContext,
  known: ClientRecord | undefined,
  { clientId, policyVersion, ...stated }: Described,
): Promise<ClientRecord> => {
  const { table, now } = services
  const apis = (await listProtectedApis(table)).filter(({ unregistered_clients: isForAll }) => isForAll)
  const described = {
    ...stated,
    apis: apis.map(({ id, audience, scopes }) => ({ id, audience, scopes: scopes.map(({ name }) => name) })),
    document: { readAt: now(), policyVersion },
  }
  try {
    if (known) {
      const change = { fields: clientFields, before: known, after: stated }
      const isChanged = describeChanges(change).names.length > 0
      return await editUniqueNameRecord(table, clientKind, known, {
        changes: described,
        extraSteps: isChanged ? changeSteps(context, 'oidc_client.changed', { of: known.id, change }) : [],
      })
    }
    const id = await allocateClientId(table)
    const audit = auditStep(context, 'oidc_client.described', { target: String(id) })
    const name = { name: clientId, normalizedName: clientId.toLowerCase() }
    return await createClientRecord(
      table,
      id,
      { ...fixedFields, ...described, ...name, clientId, createdAt: now() },
      { limit: clientDocumentsMax, extraSteps: [audit] },
    )
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error
    // Another request stored the same document.
    const stored = await findClient(table, clientId)
    if (!stored) throw refuseDocument('cannot be stored, because there are too many clients')
    return stored
  }
}
