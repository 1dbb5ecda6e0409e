import type { CredentialKind } from '../../kernel/contract/access.ts'
import type { AuditEventName } from '../../kernel/contract/audit-events.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import type { Language } from '../../kernel/i18n/languages.ts'
import { auditedUserAgentLength, refusalAuditMs, refusalNetworksAudited } from '../../kernel/limits/limits.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { getNetwork } from '../../kernel/util/network.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { getRemainingMs } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { type AuditEventRecord, buildAuditStep, putAuditEvent } from '../audit/records.ts'

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

/*
 * Attackers can cause refusals as fast as they send requests, so not every one can be an item of the table. Each
 * function stores the first refusal of a kind and network at once. It counts further ones for a minute, and the next
 * event after that includes them. A count that no later event includes is lost, but the access log has each request.
 */
interface Window {
  readonly endsAt: number
  refusals: number
}

const windows = new Map<string, Window>()
const maxRemembered = 10_000

/** Stores an audit event for a refused request, or adds the request to the count of the next one. */
export const auditRefusal = async (
  services: Services,
  context: RequestContext,
  event: AuditEventName,
  details: AuditDetails,
): Promise<void> => {
  const now = services.now()
  const kind = JSON.stringify([event, details.outcome, details.user])
  const network = chooseNetwork(kind, getNetwork(context.address), now)
  const key = `${kind} ${network}`
  const window = windows.get(key)
  if (window && isOpen(window, now)) {
    window.refusals += 1
    return
  }
  if (windows.size >= maxRemembered) windows.clear()
  windows.set(key, { endsAt: now + refusalAuditMs, refusals: 0 })
  const count = (window?.refusals ?? 0) + 1
  await writeAudit(services, context, event, { ...details, count }).catch((error: unknown) =>
    services.log.error('audit.not_written', { error }),
  )
}

const isOpen = ({ endsAt }: { readonly endsAt: number }, nowMs: number): boolean =>
  getRemainingMs(endsAt, nowMs, refusalAuditMs) > 0

/** With many networks at once, as in an attack by a botnet, further ones are counted together. */
const chooseNetwork = (kind: string, network: string, nowMs: number): string => {
  if (windows.has(`${kind} ${network}`)) return network
  const active = [...windows.values()].filter((window) => isOpen(window, nowMs))
  return active.length < refusalNetworksAudited ? network : 'others'
}

/**
 * Runs a sign-in. If it is refused, an audit event is stored with the reason.
 *
 * @throws the error of the sign-in
 */
export const auditRefusedSignIn = async <Result>(
  services: Services,
  context: RequestContext,
  details: Pick<AuditDetails, 'user' | 'target'>,
  signIn: () => Result | Promise<Result>,
): Promise<Result> => {
  try {
    return await signIn()
  } catch (error) {
    if (error instanceof AppError) {
      const outcome = error.details.reason ?? error.code
      await writeAudit(services, context, 'login.failed', { ...details, outcome })
    }
    throw error
  }
}
