import { createHash } from 'node:crypto'
import { conflict } from '../../kernel/errors/errors.ts'
import { type Expressions, isAbsent } from '../../kernel/table/expressions.ts'
import { claimStopKey, managedIdKey, managedKeyKey, releasedKey } from '../../kernel/table/keys/keys.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict, type Step } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { day } from '../../kernel/util/time.ts'
import { buildReleaseSteps, type Claim, findManaged, isOwned, type ManagedRecord } from './managed.records.ts'

/*
 * CloudFormation creates what is new before it deletes what is old, and a rollback deletes what it created. So several resources of a stack
 * can ask for the same thing for a while, and a Delete must undo what its own resource did, and nothing else. Each resource is a claim.
 */

/** Names a resource by its stack, which keeps its name when it is deleted and created again, and its logical ID. */
export const nameClaim = (stackId: string, logicalId: string): string =>
  createHash('sha256')
    .update(JSON.stringify([stackId.replace(/\/[^/]*$/, ''), logicalId]))
    .digest('hex')
    .slice(0, 16)

/** How long an adoption can be given back. */
export const givesBackMs = 7 * day

/** The entries of all claims of a thing fit into its item with room to spare. */
const mostEntryCharacters = 60_000

/** What a resource asks for. */
export interface Asking extends Pick<Claim, 'id' | 'entry' | 'at' | 'place'> {
  readonly isUpdate: boolean
  /** Whether a file of the owner manages the thing, which no resource created. */
  readonly joinsFile?: boolean
  /** Whether the stack of a claim has no way to this service any more. */
  readonly isLost: (claim: Claim) => boolean
}

/**
 * The claims with one that is new or asks for something else, which becomes the newest. An update comes after the deployment that created
 * the resource, which cannot be rolled back any more to what a lost stack asked for.
 */
export const addClaim = (
  claims: readonly Claim[],
  { id, at, place, entry, isUpdate, joinsFile = false, isLost }: Asking,
): readonly Claim[] => {
  const { adoption, secretHash, ...known } = claims.find((one) => one.id === id) ?? { at }
  // What a resource adopted was no creation of the resource that it moved to either.
  const hasAdopted = joinsFile || claims.some((one) => one.hasAdopted)
  const isKept = JSON.stringify(entry).length <= mostEntryCharacters
  const added: Claim = {
    ...{ id, at: known.at, place },
    ...(hasAdopted && { hasAdopted }),
    ...omitUndefined({
      entry: isKept ? entry : undefined,
      secretHash,
      adoption: isUpdate ? undefined : adoption,
    }),
  }
  return [...claims.filter((one) => one.id !== id && !(isUpdate && isLost(one))), added]
}

/** The thing changed its owner or its claims since it was read. */
export class ClaimsChanged extends Error {
  constructor() {
    super('The claims were changed by another event.')
    this.name = 'ClaimsChanged'
  }
}

/** Builds the step that replaces the claims of a thing as it was read, and what it has of secrets. */
const buildClaimsStep = (
  { kind, key, id, owner, claimVersion = 0 }: ManagedRecord,
  next: readonly Claim[],
  secret?: ManagedRecord['secret'],
): Step => ({
  update: managedKeyKey(kind, key),
  changes: (x) => ({
    set: [
      `${x.path('claims')} = ${x.value(next)}`,
      `${x.path('claimVersion')} = ${x.value(claimVersion + 1)}`,
      ...(secret ? [`${x.path('secret')} = ${x.value(secret)}`] : []),
    ],
    condition: `${x.path('id')} = ${x.value(id)} AND ${x.path('owner')} = ${x.value(owner)} AND ${isClaimVersion(x, claimVersion)}`,
  }),
  orElse: () => new ClaimsChanged(),
})

/** The condition that the claims are those that were read. */
const isClaimVersion = (x: Expressions, claimVersion = 0): string =>
  claimVersion === 0
    ? `(attribute_not_exists(${x.path('claimVersion')}) OR ${x.path('claimVersion')} = ${x.value(0)})`
    : `${x.path('claimVersion')} = ${x.value(claimVersion)}`

/**
 * Builds the step by which the last resource lets go of a thing that is deleted. The stack can create it again, and then the version of its
 * secret gets another value.
 */
export const buildUnclaimStep = (record: ManagedRecord): Step =>
  buildClaimsStep(record, [], record.secret && { ...record.secret, version: 0 })

/** Replaces the claims of a thing. @throws ClaimsChanged if they changed since they were read */
const replaceClaims = async (
  table: Table,
  record: ManagedRecord,
  next: readonly Claim[],
  guard: readonly Step[] = [],
): Promise<void> => {
  if (JSON.stringify(record.claims ?? []) === JSON.stringify(next)) return
  await table.transact([buildClaimsStep(record, next), ...guard])
}

const attempts = 5

/** Changes the claims of a thing as they are now, also while others change them. Does nothing without a thing. */
export const editClaims = async (
  table: Table,
  { kind, key, owner }: Pick<ManagedRecord, 'kind' | 'key' | 'owner'>,
  change: (claims: readonly Claim[], record: ManagedRecord) => readonly Claim[],
  guard: readonly Step[] = [],
): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    const record = await findManaged(table, kind, key)
    if (record?.owner !== owner) return
    try {
      await replaceClaims(table, record, change(record.claims ?? [], record), guard)
      return
    } catch (error) {
      if (!(error instanceof ClaimsChanged)) throw error
      if (attempt === attempts) throw conflict('Others changed it at the same time. Try again.')
    }
  }
}

/** How long a Create can still run that CloudFormation gave up. */
const stopMs = day

/** Ends a Create of the claim that still runs: none of its later transactions succeeds. */
export const stopClaim = (table: Table, claim: string, nowMs: number): Promise<void> =>
  table.put({ ...claimStopKey(claim), at: nowMs, expires_at: Math.ceil((nowMs + stopMs) / 1000) })

/** The step that fails if CloudFormation gave up the event that began at this time, in epoch milliseconds. */
export const buildNotStoppedStep = (claim: string, startedAt: number): Step => ({
  check: claimStopKey(claim),
  condition: (x) => `${isAbsent(x)} OR ${x.path('at')} < ${x.value(startedAt)}`,
  orElse: () => conflict('The stack has given this up.'),
})

interface Released {
  readonly owner: string
  readonly claim: string
  readonly id: number
}

const releasedCodec = createCodec<Released>('released thing', {
  owner: 'string',
  claim: 'string',
  id: 'number',
})

/** Lets go of a thing, which stays as it is. The resource can take it again without being asked whether it adopts. */
export const releaseThing = (table: Table, record: ManagedRecord, claim: string): Promise<void> =>
  table.transact([
    ...buildReleaseSteps(record),
    {
      put: {
        ...releasedKey(record.kind, record.key),
        ...releasedCodec.encode({ owner: record.owner, claim, id: record.id }),
      },
    },
  ])

/** The ID of the thing that a resource let go of. Undefined if it was another one. */
export const findReleased = async (
  table: Table,
  { kind, key, owner }: Pick<ManagedRecord, 'kind' | 'key' | 'owner'>,
  claim: string,
): Promise<number | undefined> => {
  const released = await findRecord(table, releasedCodec, releasedKey(kind, key))
  return released?.owner === owner && released.claim === claim ? released.id : undefined
}

/**
 * Builds the steps that give a thing, or the key of a deleted one, to another owner. The resources of the owner before ask for nothing any more,
 * so that a late Delete of theirs undoes nothing, and no earlier entry comes back. What they had adopted is kept when the new owner removes it.
 */
export const buildTransferSteps = (record: ManagedRecord, to: string): readonly Step[] => {
  const { kind, key, id, owner, claims, claimVersion = 0, deletedAt } = record
  const wasAdopted = record.wasAdopted || claims?.some(({ hasAdopted }) => hasAdopted)
  return [
    {
      update: managedKeyKey(kind, key),
      changes: (x) => ({
        set: [
          `${x.path('owner')} = ${x.value(to)}`,
          `${x.path('claimVersion')} = ${x.value(claimVersion + 1)}`,
          ...(claims ? [`${x.path('claims')} = ${x.value([])}`] : []),
          ...(wasAdopted ? [`${x.path('wasAdopted')} = ${x.value(true)}`] : []),
        ],
        remove: [x.path('deletedAt')],
        condition: [
          isOwned(record)(x),
          isClaimVersion(x, claimVersion),
          deletedAt === undefined
            ? `attribute_not_exists(${x.path('deletedAt')})`
            : `${x.path('deletedAt')} = ${x.value(deletedAt)}`,
        ].join(' AND '),
      }),
      orElse: () => new EditConflict(),
    },
    ...(deletedAt === undefined
      ? [
          {
            update: managedIdKey(kind, id),
            changes: (x) => ({
              set: [`${x.path('owner')} = ${x.value(to)}`],
              condition: `${x.path('owner')} = ${x.value(owner)}`,
            }),
            orElse: () => new EditConflict(),
          } satisfies Step,
        ]
      : []),
  ]
}
