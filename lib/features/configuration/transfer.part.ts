import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { conflict, invalidRequest } from '../../kernel/errors/errors.ts'
import { findNearestName } from '../../kernel/options/nearest-name.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict } from '../../kernel/table/transaction.ts'
import { retry } from '../../kernel/util/work.ts'
import type { Services } from '../../services.ts'
import { isChosenId } from '../oauth/clients.models.ts'
import { buildTransferSteps } from './claims.records.ts'
import { isProductName } from './door.models.ts'
import { findManaged, listManaged, type ManagedRecord } from './managed.records.ts'

/** The owner before and after, as they are stored. */
export interface Transfer {
  readonly from: string
  readonly to: string
}

/** What a transfer moves. */
export interface Transferable extends Pick<ManagedRecord, 'kind' | 'key'> {
  /** Whether it was deleted. The new owner can use its key again. */
  readonly isDeleted: boolean
}

export interface PlannedTransfer {
  readonly things: readonly Transferable[]
  /** The owner that was probably meant, if nothing belongs to the one that was named. */
  readonly nearest: string | null
}

/** The owners as they are stored, and what the owners begin with that the caller may know. */
export interface AdmittedTransfer extends Transfer {
  readonly prefix: string
}

/** How owners of products are stored: `product/films/web`. No owner of a file or a stack has a slash. */
export const productPrefix = 'product/'

export const isStoredOwner = (owner: string): boolean => {
  const [start, product = '', name = '', ...others] = owner.split('/')
  return (
    isChosenId(owner) ||
    (`${start}/` === productPrefix && others.length === 0 && isProductName(product) && isChosenId(name))
  )
}

/** @throws AppError `invalid_request` that lists the names that are no owners */
export const requireOwners = ({ from, to }: Transfer, isOwner: (owner: string) => boolean): Transfer => {
  const wrong = Object.entries({ from, to }).filter(([, owner]) => !isOwner(owner))
  if (wrong.length > 0) throw invalidRequest(wrong.map(([field]) => ({ field, message: ownerRule })))
  if (from === to) throw invalidRequest([{ field: 'to', message: 'must be another owner than from' }])
  return { from, to }
}

const ownerRule =
  'must be an owner: a name with up to 50 lower-case letters, digits and hyphens. For administrators, product/ and the name of a product stand before that of one of its owners'

/** Lists what an owner manages, and the keys of what it deleted. */
export const planTransfer = async (
  { table }: Services,
  { from, prefix }: AdmittedTransfer,
): Promise<PlannedTransfer> => {
  const managed = await listManaged(table)
  const things = managed
    .filter(({ owner }) => owner === from)
    .map(({ kind, key, deletedAt }) => ({ kind, key, isDeleted: deletedAt !== undefined }))
  const owners = [...new Set(managed.map(({ owner }) => owner))].filter((owner) => owner.startsWith(prefix))
  const nearest = things.length > 0 ? undefined : findNearestName(from, owners)
  return { things, nearest: nearest?.slice(prefix.length) ?? null }
}

/**
 * Moves what an owner manages to another one, and reports each thing when it has moved. Each thing moves by one conditional transaction, so
 * what was interrupted goes on with the next run, and of two transfers at once only one moves a thing.
 */
export async function* applyTransfer(
  services: Services,
  context: RequestContext,
  transfer: AdmittedTransfer,
): AsyncGenerator<Transferable> {
  for (const thing of (await planTransfer(services, transfer)).things)
    if (await moveThing(services.table, context, transfer, thing)) yield thing
}

/** Moves a thing as it is now. Returns false if it has another owner by now. */
const moveThing = async (
  table: Table,
  context: RequestContext,
  transfer: Transfer,
  { kind, key }: Transferable,
): Promise<boolean> => {
  try {
    return await retry(
      async () => {
        const record = await findManaged(table, kind, key)
        if (record?.owner !== transfer.from) return false
        await table.transact([
          ...buildTransferSteps(record, transfer.to),
          auditStep(context, 'managed.transferred', {
            target: `${kind} ${key} from ${transfer.from} to ${transfer.to}`,
          }),
        ])
        return true
      },
      { attempts: 10, baseMs: 10, capMs: 200, isRetryable: (error) => error instanceof EditConflict },
    )
  } catch (error) {
    throw error instanceof EditConflict ? conflict(`${kind} ${key} is being changed. ${runAgain}`) : error
  }
}

const runAgain = 'Run the same command again to go on.'
