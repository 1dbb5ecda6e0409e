import type { Credential } from '../../kernel/secrets/credentials.ts'
import type { Table } from '../../kernel/table/table.ts'
import { type Step, wasCommitted } from '../../kernel/table/transaction.ts'
import type { foundKinds } from '../../kernel/util/credential-prefixes.ts'
import type { Services } from '../../services.ts'
import type { RequestContext } from '../callers/request-context.ts'
import { auditStep } from '../events/write-event.ts'
import { buildSecurityNoticeStep } from '../outbox/security-notices.ts'
import { findUsers } from './find-users.records.ts'
import type { UserRecord } from './stored-user.records.ts'

/** A credential that administrators can find by its value. */
export interface Found {
  readonly kind: (typeof foundKinds)[number]
  /** Null if the value does not contain it. */
  readonly id: number | null
  readonly name?: string
  /** The ID of its user, or of the creator of a link. Null for a client. */
  readonly user: number | null
}

/** The part of a credential that finds its record. */
export type Owned = Pick<Credential, 'subject' | 'hash'>

/**
 * What a feature does with credentials of one kind that were found in public. Each feature has its rows in its `leak-rows.ts`, and
 * `lib/features/leaks.ts` lists them.
 */
export interface LeakRow {
  /** Ends a credential, if it exists and did not expire, and informs its owner. Does nothing for any other value. */
  readonly end: (services: Services, context: RequestContext, credential: Owned) => Promise<void>
  /** Finds whose credential a value is. Missing for what works for a short time. */
  readonly find?: (services: Services, credential: Owned) => Promise<Found | undefined>
  /** The same by the beginning of a value, which names its subject. */
  readonly findByStart?: (table: Table, subject: number) => Promise<Found | undefined>
  /** The owner of a value that somebody chose, which names no kind. */
  readonly findChosenOwner?: (table: Table, hash: string) => Promise<number | undefined>
}

/**
 * Ends one thing.
 *
 * @throws ConditionFailed if it ended already
 * @throws EditConflict if the user was changed concurrently
 */
export type Remove = (services: Services, context: RequestContext) => Promise<void>

/**
 * Finds the things of one kind that a report of the user revoked: what was made in the period that they disowned. Each feature has these in its
 * `report-rows.ts`, and `lib/features/reports.ts` lists them.
 */
export type FindRevoked = (services: Services, user: UserRecord) => Promise<readonly Remove[]>

/** Finds the user whom the beginning of a credential names. */
export const findUserByStart =
  (kind: Found['kind']): NonNullable<LeakRow['findByStart']> =>
  async (table, subject) => {
    const [owner] = await findUsers(table, [subject])
    return owner && { kind, id: null, user: owner.id }
  }

/**
 * The audit event and the security email about a leaked credential, for the transaction that ends it. So of any number of
 * reports, one informs the owner. `target` is the kind of the credential, and its ID if it has one.
 */
export const buildLeakSteps = (
  services: Services,
  context: RequestContext,
  owner: UserRecord,
  target: string,
): readonly Step[] => [
  auditStep(context, 'credential.leaked', { user: owner.id, target }),
  ...buildSecurityNoticeStep(services, context, owner, { kind: 'credential_leaked' }),
]

interface OneTimeItem {
  readonly owner: UserRecord
  readonly target: string
  /** The step that ends the item. It fails if the item was used or ended. */
  readonly end: Step
}

/** Ends an item of which it does not matter who ended it. */
export const endOnce = async (
  services: Services,
  context: RequestContext,
  { owner, target, end }: OneTimeItem,
): Promise<void> => {
  await wasCommitted(services.table.transact([end, ...buildLeakSteps(services, context, owner, target)]))
}

export const keepsChanging = 'The record of the credential kept changing. Try again.'
