import type { CredentialKind } from '../../contract/access.ts'
import type { AuditEventName } from '../../contract/audit-events.ts'
import type { Language } from '../../i18n/languages.ts'
import { auditedUserAgentLength } from '../../limits/limits.ts'
import type { Services } from '../../services.ts'
import { type AuditEventRecord, buildAuditStep, putAuditEvent } from '../../store/audit/audit.ts'
import type { Step } from '../../store/engine/transaction.ts'
import { omitUndefined } from '../../util/object-fields.ts'

/** The cookie by which accounts recognize a browser. */
export interface DeviceCookie {
  /** A secret of the browser. Missing at the end of a SAML sign-in, which knows the hash from its start. */
  readonly value?: string
  readonly hash: string
  /** Whether the browser did not have it yet. */
  readonly isNew?: boolean
}

/** The facts about a request that audit events contain. */
export interface RequestContext {
  /** The address of the connection, or the one that a product named. */
  readonly address: string
  /** The ID of the user of the product that named the address. */
  readonly product?: number
  readonly userAgent: string
  /** The country of the address, if the front door knows it: ISO 3166-1 alpha-2. */
  readonly country?: string
  /** The language that the client asked for. Missing if it asked for none that exists here. */
  readonly language?: Language
  /** The browser that sent the request. Missing unless it comes from a page of this service. */
  readonly device?: DeviceCookie
  readonly requestId: string
  /** The id of the user who really acts, or null when the caller is not signed in. */
  readonly actor: number | null
  /** The kind of the caller's credential. Missing when the caller is not signed in. */
  readonly credential?: CredentialKind | undefined
  /** The time of the request in epoch milliseconds. */
  readonly at: number
}

export type AuditDetails = Partial<
  Pick<AuditEventRecord, 'user' | 'actor' | 'target' | 'outcome' | 'username' | 'count'>
>

/** Builds the step that stores an audit event, for the transaction that makes the change. */
export const auditStep = (context: RequestContext, event: AuditEventName, details: AuditDetails = {}): Step =>
  buildAuditStep(buildRecord(context, event, details))

/** Stores an audit event for a request that changes nothing else, such as a refused one. */
export const writeAudit = (
  { table }: Services,
  context: RequestContext,
  event: AuditEventName,
  details: AuditDetails,
): Promise<void> => putAuditEvent(table, buildRecord(context, event, details))

const buildRecord = (
  { address, product, requestId, actor, at, credential, userAgent }: RequestContext,
  event: AuditEventName,
  details: AuditDetails,
): AuditEventRecord => ({
  at,
  event,
  user: null,
  actor,
  address,
  ...(product === undefined ? {} : { product }),
  requestId,
  target: null,
  outcome: 'succeeded',
  ...omitUndefined({ credential, userAgent: describeUserAgent(userAgent) }),
  ...details,
})

const describeUserAgent = (userAgent: string): string | undefined =>
  userAgent.slice(0, auditedUserAgentLength).replaceAll(/\p{C}/gu, ' ').trim() || undefined
