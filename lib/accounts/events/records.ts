import { randomBytes } from 'node:crypto'
import type { AuditEventName } from '../../kernel/contract/audit-events.ts'
import type { FieldChange } from '../../kernel/contract/field-changes.ts'
import { auditKey, eventIndexKeys } from '../../kernel/table/keys/audit-keys.ts'
import { partitions } from '../../kernel/table/keys/partitions.ts'
import { createCodec } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Item, Step } from '../../kernel/table/transaction.ts'

/**
 * Who did what to whom, and the result. Contains no secrets, and no input of the caller except the ID of a target, the
 * user agent, and a username that does not look like a password: see `describeTriedUsername`.
 */
export interface AuditEventRecord {
  /** Epoch milliseconds. */
  readonly at: number
  readonly event: AuditEventName
  /** The ID of the affected user. */
  readonly user: number | null
  /** The ID of the user who acted: the administrator during impersonation, null without a sign-in. */
  readonly actor: number | null
  readonly address: string
  /** The ID of the user of the product that named the address. */
  readonly product?: number
  readonly requestId: string
  /** The ID of the organization that the event is about. Missing without one. */
  readonly organization?: number | undefined
  /** Whether the actor acted as a member of the organization. Missing otherwise. */
  readonly byMember?: true | undefined
  /** What was changed besides the user: an ID, or names of fields. */
  readonly target: string | null
  /** `succeeded`, or the reason of a refusal. */
  readonly outcome: string
  /** The kind of credential that the caller authenticated with. Missing without one, and in events of version 0.1.0. */
  readonly credential?: string | undefined
  /** The ID of this credential, if it is a session or an API token. */
  readonly credentialId?: number | undefined
  /** The ARN of the AWS principal that acted, cut off. Missing if a user did, or nobody is known. See `RequestContext`. */
  readonly actorPrincipal?: string | undefined
  /** The user agent of the request, cut off. Missing if the request had none. */
  readonly userAgent?: string | undefined
  /** The name that was entered in a failed attempt. */
  readonly username?: string | undefined
  /** The time of the clock, if it was behind what the chains had reached: see `clock.records.ts`. Missing otherwise. */
  readonly clockAt?: number | undefined
  /** The number of refusals that this event stands for. Missing for one. */
  readonly count?: number | undefined
  /** The fields that changed, with the values that their declarations allow here. Missing if the event is about none. */
  readonly changes?: readonly FieldChange[] | undefined
  /** How many more fields or entries changed. Missing if `changes` has all. */
  readonly changesOmitted?: number | undefined
  /** The hash of the values that the user alone decides how long to keep: see `personal-values.records.ts`. */
  readonly valuesHash?: string | undefined
  /** If a sign-in counts the user as active: the day since 1970, and the number of days since they last came. Missing otherwise. */
  readonly activeDay?: number | undefined
  readonly activeAfter?: number | undefined
  /** How many milliseconds the hook `afterSignIn` took until its answer. Missing without one. */
  readonly hookMs?: number | undefined
}

export const auditEventCodec = createCodec<AuditEventRecord>('audit event', {
  at: 'number',
  event: 'string',
  address: 'string',
  requestId: 'string',
  outcome: 'string',
})

/** Builds the step that stores an event in the same transaction as the change it describes. */
export const buildAuditStep = (record: AuditEventRecord): Step => ({
  put: buildAuditItem(record),
  ...(record.outcome === 'succeeded' && { isChange: true }),
})

/**
 * Says in the audit events among these steps to which organization the changed record belongs. So no use case can leave it out, or name
 * another one. A record of the whole service has none.
 */
export const nameOrganization = (
  steps: readonly Step[],
  organization: number | null | undefined,
): readonly Step[] =>
  organization == null
    ? steps
    : steps.map((step) =>
        'put' in step && step.put.pk.startsWith(partitions.audit)
          ? { ...step, put: indexEvent({ ...step.put, organization }) }
          : step,
      )

/** Stores an event for which nothing else changes. */
export const putAuditEvent = (table: Table, record: AuditEventRecord): Promise<void> =>
  table.put(buildAuditItem(record))

const buildAuditItem = (record: AuditEventRecord): Item => {
  const indexKey = `${new Date(record.at).toISOString()}#${randomBytes(9).toString('base64url')}`
  return indexEvent({
    ...auditKey(indexKey),
    ...auditEventCodec.encode(record),
  })
}

/** Adds the keys by which indexes find an event. */
const indexEvent = (item: Item): Item => ({
  ...item,
  ...eventIndexKeys(item as Item & AuditEventRecord, item.sk),
})
