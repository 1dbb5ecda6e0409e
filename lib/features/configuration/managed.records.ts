import { createHash } from 'node:crypto'
import type { ManagedKind } from '../../kernel/contract/managed-kinds.ts'
import { AppError, conflict } from '../../kernel/errors/errors.ts'
import type { Config } from '../../kernel/settings/config.ts'
import { type Condition, isAbsent, isPresent } from '../../kernel/table/expressions.ts'
import {
  managedIdKey,
  managedKeyKey,
  managedKeyPrefix,
  stackSecretKey,
} from '../../kernel/table/keys/keys.ts'
import { partitions } from '../../kernel/table/keys/partitions.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { ConditionFailed, EditConflict, type Step } from '../../kernel/table/transaction.ts'

/** A thing or settings that a document manages. The key stays taken after the thing was deleted. */
export interface ManagedRecord {
  readonly kind: ManagedKind
  readonly key: string
  /** The ID of the thing, or of the product whose settings they are. 0 for settings that a service has once. */
  readonly id: number
  readonly owner: string
  /** The hash of the entry that was applied last. Empty until it was applied completely. */
  readonly given: string
  /** The hash of what the service had after that. */
  readonly result: string
  /** Epoch milliseconds. Missing while the thing exists, for all that the documents know. */
  readonly deletedAt?: number | undefined
  /** Who let people change it until it is applied again, and when. */
  readonly unlocked?: Unlocked | undefined
  /**
   * What a policy had that was stronger than the defaults when it was adopted, and the entry left out. It is the default of these fields
   * from then on, so that nothing becomes weaker because a document does not name it.
   */
  readonly kept?: Readonly<Record<string, unknown>> | undefined
  /** The resources of stacks that ask for it, the newest last: see `claims.records.ts`. Missing for what a file manages. */
  readonly claims?: readonly Claim[] | undefined
  /** Increases with each change of the claims, and of the owner. */
  readonly claimVersion?: number | undefined
  /** Whether an earlier owner took over what the service had already. */
  readonly wasAdopted?: true | undefined
  /** Which secret of a stack the thing has. */
  readonly secret?: PlacedSecret | undefined
}

/** A resource of a stack, and what it asked for. */
export interface Claim {
  /** Names the resource by its stack and its logical ID when it was created. */
  readonly id: string
  /** When it first asked, in epoch milliseconds. */
  readonly at: number
  /** The region and the account of its stack. */
  readonly place: ClaimPlace
  /** The entry of its document. Missing if it is too large to be kept. */
  readonly entry?: Readonly<Record<string, unknown>> | undefined
  /** The hash of the secret that it got for its product. */
  readonly secretHash?: string | undefined
  /** Whether it took over what the service had already. */
  readonly hasAdopted?: true | undefined
  /** What it can give back until its next update. */
  readonly adoption?: Adoption | undefined
}

export interface ClaimPlace {
  readonly region: string
  readonly account: string
}

export interface Adoption {
  /** Epoch milliseconds. */
  readonly at: number
  /** The fields before it took them over, with IDs. */
  readonly before: Readonly<Record<string, unknown>>
  /** The fields after that. Missing until it was applied completely. */
  readonly wrote?: Readonly<Record<string, unknown>> | undefined
}

/** The ID that the branding of a product has among managed settings, because a product has only a name. */
export const hashProduct = (name: string): number =>
  createHash('sha256').update(name).digest().readUInt32BE() >>> 1

/** The ID of settings. A service has most of them once. */
export const idOfSettings = (kind: ManagedKind, key: string): number => {
  if (kind === 'product_branding') return hashProduct(key)
  const product = kind === 'email_texts' ? readProductOfTexts(key) : undefined
  return product === undefined ? 0 : hashProduct(product)
}

/** The keys of all settings of a kind. What a service has once has the name of the kind. */
export const listSettingsKeys = ({ linkProducts }: Config, kind: ManagedKind): readonly string[] => {
  const products = linkProducts.map(({ name }) => name)
  if (kind === 'product_branding') return products
  return kind === 'email_texts' ? ['service', ...products.map((name) => `product:${name}`)] : [kind]
}

/** The product in the name of an owner of words. Undefined for `service`, and for owners that no document has. */
export const readProductOfTexts = (owner: string): string | undefined => /^product:(.+)$/.exec(owner)?.[1]

/** A version of a secret in Secrets Manager that a client got. */
export interface PlacedSecret {
  readonly arn: string
  /** The number that the stack gave the version. */
  readonly version: number
  /** The highest number that the client ever got of this secret. */
  readonly upTo: number
}

export interface Unlocked {
  readonly by: number
  /** Epoch milliseconds. */
  readonly at: number
}

const codec = createCodec<ManagedRecord>('managed thing', {
  kind: 'string',
  key: 'string',
  id: 'number',
  owner: 'string',
  given: 'string',
  result: 'string',
})

/** Which key stands for a thing, as it is stored by the ID of the thing. */
export type ManagedMark = Pick<ManagedRecord, 'kind' | 'key' | 'id' | 'owner' | 'unlocked'>

const markCodec = createCodec<Omit<ManagedMark, 'kind' | 'id'>>('mark of a managed thing', {
  key: 'string',
  owner: 'string',
})

/** The condition that a key is that of the same thing and owner as it was read. */
export const isOwned =
  ({ id, owner }: Pick<ManagedRecord, 'id' | 'owner'>): Condition =>
  (x) =>
    `${x.path('id')} = ${x.value(id)} AND ${x.path('owner')} = ${x.value(owner)}`

const createMovedError = ({ kind, key }: Pick<ManagedRecord, 'kind' | 'key'>): AppError =>
  conflict(`${kind} ${key} got another owner at the same time. Run it again to see whose it is.`)

/** Reads all that documents manage or managed. One query for each 1 MB. */
export const listManaged = async (table: Table): Promise<readonly ManagedRecord[]> =>
  (await table.list(partitions.configuration, managedKeyPrefix)).map((item) => codec.decode(item))

/**
 * Builds the steps by which a key begins to stand for a thing. `before` is the record of the key as it was read, if it stood for
 * another thing that no longer exists.
 */
export const buildManageSteps = (
  record: ManagedRecord,
  before: ManagedRecord | undefined,
): readonly Step[] => [
  {
    put: { ...managedKeyKey(record.kind, record.key), ...codec.encode(record) },
    condition: before ? isOwned(before) : isAbsent,
    orElse: () => new EditConflict(),
  },
  {
    put: { ...managedIdKey(record.kind, record.id), key: record.key, owner: record.owner },
    condition: isAbsent,
    orElse: () => new EditConflict(),
  },
  ...(before ? [{ delete: managedIdKey(before.kind, before.id) }] : []),
]

/** Reads what the key of a kind stands for. */
export const findManaged = (table: Table, kind: string, key: string): Promise<ManagedRecord | undefined> =>
  findRecord(table, codec, managedKeyKey(kind, key))

/** What documents manage of these IDs of a kind. One call for up to 100. */
export const readManagedOf = async (
  table: Table,
  kind: ManagedKind,
  ids: readonly number[],
): Promise<readonly ManagedMark[]> => {
  const items = await table.getMany(ids.map((id) => managedIdKey(kind, id)))
  return items.flatMap((item, at) => {
    const id = ids[at]
    return item && id !== undefined ? [{ ...markCodec.decode(item), kind, id }] : []
  })
}

/** Builds the steps that let people change a thing. Its document is the same. */
export const buildUnlockSteps = (
  { kind, key, id, owner }: ManagedRecord,
  unlocked: Unlocked,
): readonly Step[] =>
  [managedKeyKey(kind, key), managedIdKey(kind, id)].map((update) => ({
    update,
    changes: (x) => ({
      set: [`${x.path('unlocked')} = ${x.value(unlocked)}`],
      condition: `${x.path('owner')} = ${x.value(owner)} AND attribute_not_exists(${x.path('unlocked')})`,
    }),
    orElse: () => new EditConflict(),
  }))

/**
 * Builds the steps by which nobody else can change a thing any more. They come before it is applied, so that nobody changes it
 * between the last look at it and the note about that.
 */
export const buildLockSteps = (record: ManagedRecord): readonly Step[] => [
  {
    update: managedKeyKey(record.kind, record.key),
    changes: (x) => ({ remove: [x.path('unlocked')], condition: isOwned(record)(x) }),
    orElse: () => new EditConflict(),
  },
  {
    update: managedIdKey(record.kind, record.id),
    changes: (x) => ({ remove: [x.path('unlocked')], condition: isPresent(x) }),
    orElse: () => new EditConflict(),
  },
]

/** Notes what was applied completely. @throws AppError `conflict` if the key is that of another thing or owner by now */
export const noteApplied = async (
  table: Table,
  record: ManagedRecord,
  { given, result }: Pick<ManagedRecord, 'given' | 'result'>,
): Promise<void> => {
  try {
    await table.update(managedKeyKey(record.kind, record.key), (x) => ({
      set: [`${x.path('given')} = ${x.value(given)}`, `${x.path('result')} = ${x.value(result)}`],
      condition: isOwned(record)(x),
    }))
  } catch (error) {
    throw error instanceof ConditionFailed ? createMovedError(record) : error
  }
}

/** Builds the step that notes which secret a thing got. */
export const buildSecretStep = ({ kind, key, id }: ManagedRecord, secret: PlacedSecret): Step => ({
  update: managedKeyKey(kind, key),
  changes: (x) => ({
    set: [`${x.path('secret')} = ${x.value(secret)}`],
    condition: `${x.path('id')} = ${x.value(id)} AND attribute_not_exists(${x.path('deletedAt')})`,
  }),
  orElse: () => new EditConflict(),
})

/** Builds the steps by which a key stops to stand for a thing. Nothing else ever has the key. */
export const buildDeletedSteps = (record: ManagedRecord, deletedAt: number): readonly Step[] => [
  {
    update: managedKeyKey(record.kind, record.key),
    changes: (x) => ({
      set: [`${x.path('deletedAt')} = ${x.value(deletedAt)}`],
      condition: isOwned(record)(x),
    }),
    orElse: () => createMovedError(record),
  },
  { delete: managedIdKey(record.kind, record.id) },
]

/** Builds the steps by which a document lets go of what it manages, which stays as it is. The key can be used again for it. */
export const buildReleaseSteps = (record: ManagedRecord): readonly Step[] => [
  {
    delete: managedKeyKey(record.kind, record.key),
    condition: isOwned(record),
    orElse: () => new EditConflict(),
  },
  { delete: managedIdKey(record.kind, record.id) },
]

/**
 * Notes that a secret of Secrets Manager is that of a thing, for good.
 *
 * @throws AppError `conflict` if it is that of something else
 */
export const claimSecret = (
  table: Table,
  arn: string,
  { kind, key }: Pick<ManagedRecord, 'kind' | 'key'>,
): Promise<void> =>
  table.transact([
    {
      put: { ...stackSecretKey(createHash('sha256').update(arn).digest('hex')), kind, key },
      condition: (x) =>
        `${isAbsent(x)} OR (${x.path('kind')} = ${x.value(kind)} AND ${x.path('key')} = ${x.value(key)})`,
      orElse: () =>
        new AppError('conflict', {
          detail: 'The secret is that of something else. Use a secret of its own.',
        }),
    },
  ])
