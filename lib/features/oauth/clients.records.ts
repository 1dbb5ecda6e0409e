import { createHash, randomBytes } from 'node:crypto'
import { addUsedNetwork } from '../../accounts/callers/credential-use.records.ts'
import type { StoredClaim } from '../../accounts/users/attributes.records.ts'
import { ConflictError } from '../../kernel/errors/errors.ts'
import { isSameHash } from '../../kernel/secrets/credentials.ts'
import { replaceSecrets } from '../../kernel/secrets/rotation.ts'
import { decreaseCount, increaseCount, isAbsent, isPresent } from '../../kernel/table/expressions.ts'
import type { Key } from '../../kernel/table/keys/keys.ts'
import { clientCountKey, clientDocumentKey, clientKey } from '../../kernel/table/keys/oauth-keys.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict, type Step, wasCommitted } from '../../kernel/table/transaction.ts'
import {
  allocateId,
  createWithId,
  deleteUniqueNameRecord,
  editUniqueNameRecord,
  type NewUniqueNameRecord,
  type UniqueNameKind,
  type UniqueNameRecord,
} from '../../kernel/table/unique-name-records.ts'
import type { Stored } from '../../kernel/util/object-fields.ts'
import { day } from '../../kernel/util/time.ts'
import { isChosenId, type OIDCClient, type OIDCClientUpdate } from './clients.models.ts'

/** Finds a client by its identifier. Takes one table call, two for an address, and none if the text cannot be an identifier. */
export const findClient = async (table: Table, clientId: string): Promise<ClientRecord | undefined> => {
  const wasKnown = knownIds.get(table)?.has(clientId) === true
  const id = await findClientId(table, clientId)
  const client = id === undefined ? undefined : await findClientById(table, id)
  if (client?.clientId === clientId) return client
  forgetId(table, clientId)
  return wasKnown ? findClient(table, clientId) : undefined
}

/**
 * Whether a client gets tokens for organizations: it requires one, or asks for them by the scope. Others would take the permissions in an
 * organization that a user may have made for those of the account.
 */
export const getsOrganizations = ({
  scopes,
  organizations,
}: Pick<ClientRecord, 'scopes' | 'organizations'>): boolean =>
  organizations === 'required' || (organizations !== 'none' && scopes.includes('organization'))

export const findClientById = (table: Table, id: number): Promise<ClientRecord | undefined> =>
  findRecord(table, clientKind.codec, clientKind.keyOf(id))

/** The ID of a client by its identifier, which is not verified. Takes a table call for an address, and for a chosen one once. */
export const findClientId = async (table: Table, clientId: string): Promise<number | undefined> => {
  if (!isLookedUp(clientId)) return readClientId(clientId)
  const known = knownIds.get(table)?.get(clientId)
  if (known !== undefined) return known
  const id = documentCodec.decodeOptional(await table.get(getDocumentKey(clientId)))?.id
  if (id !== undefined && isChosenId(clientId)) rememberId(table, clientId, id)
  return id
}

/** Whether an identifier has an item with the ID of its client. */
const isLookedUp = (clientId: string): boolean => isDocumentAddress(clientId) || isChosenId(clientId)

/** The IDs of chosen identifiers. They only change if a deleted client is restored, so they are remembered until they lead to nothing. */
const knownIds = new WeakMap<Table, Map<string, number>>()

/** Forgets the ID of an identifier that led to no client. */
export const forgetId = (table: Table, clientId: string): void => {
  knownIds.get(table)?.delete(clientId)
}

const rememberId = (table: Table, clientId: string, id: number): void => {
  const known = knownIds.get(table) ?? new Map<string, number>()
  knownIds.set(table, known.set(clientId, id))
}

/** The IDs of clients that exist, of at most 100 identifiers. Takes a table call if one of them is looked up. */
export const findClientIds = async (
  table: Table,
  clientIds: readonly string[],
): Promise<readonly number[]> => {
  const addresses = clientIds.filter(isLookedUp)
  const items = addresses.length === 0 ? [] : await table.getMany(addresses.map(getDocumentKey))
  return [
    ...clientIds.flatMap((clientId) => (isLookedUp(clientId) ? [] : (readClientId(clientId) ?? []))),
    ...items.flatMap((item) => documentCodec.decodeOptional(item)?.id ?? []),
  ]
}

export const allocateClientId = (table: Table): Promise<number> => allocateId(table, clientKind.name)

/**
 * Creates a client with an ID from `allocateClientId`. Nothing has a chosen identifier twice, apart from a client that `restores` the
 * one with this ID.
 *
 * @throws ConflictError `too_many_oidc_clients` if there are `limit` clients, or `client_id_taken`
 * @throws NameTaken if another client has the name.
 */
export const createClientRecord = (
  table: Table,
  id: number,
  fields: NewUniqueNameRecord<ClientRecord>,
  {
    limit,
    restores,
    extraSteps,
  }: { readonly limit: number; readonly restores?: number | undefined; readonly extraSteps: readonly Step[] },
): Promise<ClientRecord> => {
  const countStep: Step = {
    update: clientCountKey,
    changes: increaseCount(limit),
    orElse: () => new ConflictError('too_many_oidc_clients', `there are ${limit} clients`),
  }
  const lookupSteps: readonly Step[] = isLookedUp(fields.clientId)
    ? [
        {
          put: { ...getDocumentKey(fields.clientId), ...documentCodec.encode({ id }) },
          condition: restores === undefined ? isAbsent : (x) => `${x.path('id')} = ${x.value(restores)}`,
          ...(fields.document
            ? {}
            : { orElse: () => new ConflictError('client_id_taken', 'a client has or had this ID') }),
        },
      ]
    : []
  return createWithId(table, clientKind, {
    id,
    fields,
    extraSteps: [countStep, ...lookupSteps, ...extraSteps],
  })
}

/** Deletes a client. Its grants end at the same moment. A chosen identifier stays taken. @throws EditConflict if it was changed since it was read. */
export const deleteClientRecord = (
  table: Table,
  client: ClientRecord,
  extraSteps: readonly Step[],
): Promise<void> =>
  deleteUniqueNameRecord(table, clientKind, client, [
    { update: clientCountKey, changes: decreaseCount },
    ...(client.document ? [{ delete: getDocumentKey(client.clientId) }] : []),
    ...extraSteps,
  ])

/** Builds the step that replaces the added claims of a client. It fails if the client was changed since it was read. */
export const buildClaimsStep = (client: ClientRecord, addedClaims: readonly ClientClaim[]): Step => ({
  update: clientKey(client.id),
  changes: (x) => ({
    set: Object.entries(
      clientKind.codec.encodeChanges(client, { addedClaims, version: client.version + 1 }),
    ).map(([name, value]) => `${x.path(name)} = ${x.value(value)}`),
    condition: `${x.path('version')} = ${x.value(client.version)}`,
  }),
  orElse: () => new EditConflict(),
})

/** Removes a secret of a client. @throws EditConflict if the client was changed since it was read. */
export const removeClientSecret = (
  table: Table,
  client: ClientRecord,
  secretId: number,
  extraSteps: readonly Step[],
): Promise<ClientRecord> => {
  const secrets = client.secrets.filter(({ id }) => id !== secretId)
  return editUniqueNameRecord(table, clientKind, client, { changes: { secrets }, extraSteps })
}

/** Notes the day on which a secret is used, so that administrators see when an old one can end. Writes once a day at most. */
export const noteSecretUse = async (
  table: Table,
  { id, secrets }: Pick<ClientRecord, 'id' | 'secrets'>,
  secret: ClientSecret,
  nowMs: number,
): Promise<void> => {
  const today = nowMs - (nowMs % day)
  if ((secret.usedAt ?? secret.createdAt) >= today) return
  const place = secrets.indexOf(secret)
  // It fails if an administrator changed the secrets, or another request was first. Neither matters.
  await wasCommitted(
    table.update(clientKey(id), (x) => {
      const stored = `${x.path('secrets')}[${place}]`
      const [usedAt, given] = [`${stored}.${x.path('usedAt')}`, x.value(today)]
      return {
        set: [`${usedAt} = ${given}`],
        condition: [
          `${stored}.${x.path('id')} = ${x.value(secret.id)}`,
          `(attribute_not_exists(${usedAt}) OR ${usedAt} < ${given})`,
        ].join(' AND '),
      }
    }),
  )
}

/**
 * Notes the network that a client proved itself from, so that administrators see where it runs. Writes once a day at most for each.
 * `address` is that of the sender, or undefined if it is not known. `nowMs` is in epoch milliseconds.
 */
export const noteClientNetwork = async (
  table: Table,
  { id, usedNetworks = [] }: Pick<ClientRecord, 'id' | 'usedNetworks'>,
  address: string | undefined,
  nowMs: number,
): Promise<void> => {
  const networks = address === undefined ? undefined : addUsedNetwork(usedNetworks, address, nowMs)
  if (!networks) return
  const added = networks.at(-1)
  // It fails if the client was deleted, or another request was first. Of networks at the same time, one can be left out until its next use.
  await wasCommitted(
    table.update(clientKey(id), (x) => {
      const stored = x.path('usedNetworks')
      return {
        set: [`${stored} = ${x.value(networks)}`],
        condition: `${isPresent(x)} AND (attribute_not_exists(${stored}) OR NOT contains(${stored}, ${x.value(added)}))`,
      }
    }),
  )
}

/** The secrets of a client that have not expired, the newest first. */
export const listValidSecrets = (
  { secrets }: Pick<ClientRecord, 'secrets'>,
  nowMs: number,
): readonly ClientSecret[] => secrets.filter(({ expiresAt }) => expiresAt === null || nowMs < expiresAt)

interface NextSecrets {
  /** With the newest one in front. */
  readonly secrets: readonly ClientSecret[]
  /** Those for which there is no more place, although their time is not over. */
  readonly dropped: readonly ClientSecret[]
}

/** The secrets of a client with a new one, or another one of its own in front: see `replaceSecrets`. */
export const buildNextSecrets = (
  client: Pick<ClientRecord, 'secrets' | 'version'>,
  hash: string,
  { nowMs, keepMs }: { readonly nowMs: number; readonly keepMs: number | null },
): NextSecrets => {
  const valid = listValidSecrets(client, nowMs)
  const known = valid.find((secret) => isSameHash(secret.hash, hash))
  const former = valid.filter((secret) => secret !== known)
  const { kept, dropped } = replaceSecrets(former, { nowMs, keepMs })
  // The version after this change, which no other secret of the client has.
  const added = { id: client.version + 1, hash, createdAt: nowMs }
  return {
    secrets: [
      { ...(known ?? added), expiresAt: null },
      ...kept.map(({ secret, expiresAt }) => ({ ...secret, expiresAt })),
    ],
    dropped,
  }
}

/** A product that signs its users in by OpenID Connect. What administrators set has the names and values of the interface. */
export interface ClientRecord extends UniqueNameRecord, ClientSettings {
  /** The identifier in the protocol. It contains the ID: see `readClientId`. */
  readonly clientId: string
  /** Of a client that no administrator registered: its identifier is the address of a document, which describes it. */
  readonly document?: {
    readonly readAt: number
    /** The version of the agent policy by which its redirect URIs were chosen. */
    readonly policyVersion: number
  }
  /** At most `secretsPerHolder`, the newest first. Empty for public clients, and for clients whose secrets were ended. */
  readonly secrets: readonly ClientSecret[]
  /** The scopes of OpenID Connect that the client may request. */
  readonly scopes: readonly string[]
  readonly apis: readonly ClientApi[]
  /** Where it proved itself: see `addUsedNetwork`. Missing before the first time. */
  readonly usedNetworks?: readonly string[]
  /** The claims that name the client, those first that matter most. Missing if there were never any. */
  readonly addedClaims?: readonly ClientClaim[]
  /** The administrator who registered the client. Null for one that describes itself, or that a document manages. */
  readonly createdBy: number | null
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** A claim as a client has it, so that its tokens read nothing more. */
export interface ClientClaim extends Pick<StoredClaim, 'name' | 'place' | 'source' | 'outputs'> {
  /** The key of the attribute, the field of the organization, or the text. */
  readonly value: string
  /** The IDs of the APIs whose access tokens state it. */
  readonly apis: readonly number[]
}

/**
 * What administrators set. Redirect addresses are compared as they are (RFC 9700 2.1). A public client has keys only if its
 * document lists both ways to prove who it is.
 */
type ClientSettings = Stored<
  Pick<OIDCClient, Exclude<keyof OIDCClientUpdate, 'client_id' | 'name' | 'apis' | 'scopes'>>
>

/** An API as a client names it. The ID is of the API with this audience at that time. */
export interface ClientApi {
  readonly id: number
  readonly audience: string
  readonly scopes: readonly string[]
}

/** A public key of a client (RFC 7517). */
export type PublicClientKey = ClientSettings['public_keys'][number]

export interface ClientSecret {
  /** The version of the client that brought it. */
  readonly id: number
  /** The SHA-256 of the secret. */
  readonly hash: string
  /** Epoch milliseconds, like `expiresAt`. */
  readonly createdAt: number
  /** Null until a newer secret replaces it. */
  readonly expiresAt: number | null
  /** The start of the latest day on which it was used. Missing until the day after it was created. */
  readonly usedAt?: number
}

export type ClientType = ClientSettings['type']

export const clientKind: UniqueNameKind<ClientRecord> = {
  name: 'oidc-client',
  keyOf: clientKey,
  codec: createCodec<ClientRecord>('OpenID Connect client', {
    id: 'number',
    name: 'string',
    normalizedName: 'string',
    version: 'number',
    clientId: 'string',
    type: 'string',
    secrets: 'list',
    redirect_uris: 'list',
    post_logout_redirect_uris: 'list',
    scopes: 'list',
    apis: 'list',
    permissions: 'list',
    access_token_lifetime: 'number',
    id_token_lifetime: 'number',
    refresh_token_lifetime: 'number',
    refresh_token_idle_lifetime: 'number',
  }),
}

/*
 * A client identifier is the ID of the client and a random part. So one call finds the client, without an item for the
 * identifier, and guessing does not reveal which clients exist. One that an administrator chose has an item with the ID.
 */

/** Whether an identifier is the address of a document. */
export const isDocumentAddress = (clientId: string): boolean => /^https?:\/\//.test(clientId)

const getDocumentKey = (address: string): Key =>
  clientDocumentKey(createHash('sha256').update(address).digest('hex'))

const documentCodec = createCodec<{ readonly id: number }>('address of an OpenID Connect client', {
  id: 'number',
})

const randomByteLength = 12
const pattern = new RegExp(`^([1-9]\\d{0,9})-[0-9a-f]{${2 * randomByteLength}}$`)

export const createClientId = (id: number): string => `${id}-${randomBytes(randomByteLength).toString('hex')}`

/** The ID of the client, or undefined if the text is not a client identifier. The random part is not verified. */
export const readClientId = (clientId: string): number | undefined => {
  const [, digits] = pattern.exec(clientId) ?? []
  return digits === undefined || Number(digits) >= 2 ** 31 ? undefined : Number(digits)
}
