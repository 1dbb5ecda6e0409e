import { createHash } from 'node:crypto'
import { conflict } from '../../kernel/errors/errors.ts'
import { isAbsent } from '../../kernel/table/expressions.ts'
import { claimStopKey, managedKeyKey, releasedKey } from '../../kernel/table/keys/keys.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict, type Step } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { day } from '../../kernel/util/time.ts'
import { buildReleaseSteps, type Claim, findManaged, type ManagedRecord } from './managed.records.ts'

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

/** The claims with one that is new or asks for something else, which becomes the newest. */
export const addClaim = (
  claims: readonly Claim[],
  {
    id,
    entry,
    isUpdate,
  }: { readonly id: string; readonly entry: Claim['entry']; readonly isUpdate: boolean },
): readonly Claim[] => {
  const { adoption, hasAdopted, secretHash } = claims.find((one) => one.id === id) ?? {}
  const isKept = JSON.stringify(entry).length <= mostEntryCharacters
  const added = {
    id,
    ...omitUndefined({
      entry: isKept ? entry : undefined,
      hasAdopted,
      secretHash,
      adoption: isUpdate ? undefined : adoption,
    }),
  }
  return [...claims.filter((one) => one.id !== id), added]
}

/** Replaces the claims of a thing. @throws EditConflict if they changed since they were read */
export const replaceClaims = async (
  table: Table,
  { kind, key, id, claims = [], claimVersion = 0 }: ManagedRecord,
  next: readonly Claim[],
  guard: readonly Step[] = [],
): Promise<void> => {
  if (JSON.stringify(claims) === JSON.stringify(next)) return
  await table.transact([
    {
      update: managedKeyKey(kind, key),
      changes: (x) => ({
        set: [
          `${x.path('claims')} = ${x.value(next)}`,
          `${x.path('claimVersion')} = ${x.value(claimVersion + 1)}`,
        ],
        condition: `${x.path('id')} = ${x.value(id)} AND (attribute_not_exists(${x.path('claimVersion')}) OR ${x.path('claimVersion')} = ${x.value(claimVersion)})`,
      }),
      orElse: () => new EditConflict(),
    },
    ...guard,
  ])
}

const attempts = 5

/** Changes the claims of a thing as they are now, also while others change them. Does nothing without a thing. */
export const editClaims = async (
  table: Table,
  { kind, key, owner }: Pick<ManagedRecord, 'kind' | 'key' | 'owner'>,
  change: (claims: readonly Claim[]) => readonly Claim[],
  guard: readonly Step[] = [],
): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    const record = await findManaged(table, kind, key)
    if (record?.owner !== owner) return
    try {
      await replaceClaims(table, record, change(record.claims ?? []), guard)
      return
    } catch (error) {
      if (!(error instanceof EditConflict) || attempt === attempts) throw error
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
