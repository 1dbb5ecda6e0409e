import type { AuditEventName } from '../../kernel/contract/audit-events.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { refusalAuditMs, refusalNetworksAudited } from '../../kernel/limits/limits.ts'
import { getNetwork } from '../../kernel/util/network.ts'
import { getRemainingMs } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import type { RequestContext } from '../callers/request-context.ts'
import { consume } from '../callers/throttle.ts'
import { type AuditDetails, writeAudit } from './write-event.ts'

/*
 * Attackers can cause refusals as fast as they send requests, so not every one can be an item of the table. Each
 * function stores the first refusal of a kind, account and network at once. It counts further ones for a minute, and the next
 * event after that includes them. A count that no later event includes is lost, but the access log has each request.
 */
interface Window {
  readonly endsAt: number
  refusals: number
}

const windows = new Map<string, Window>()
const maxRemembered = 10_000

/**
 * Stores an audit event for a refused request, or adds the request to the count of the next one. `subject` is what is counted apart from
 * others, by default the user: a sign-in names the account that was entered, so that calls do not reveal which accounts exist.
 */
export const auditRefusal = async (
  services: Services,
  context: RequestContext,
  event: AuditEventName,
  details: AuditDetails,
  subject: string | number | null = details.user ?? null,
): Promise<void> => {
  const now = services.now()
  const network = getNetwork(context.address)
  const own = nameWindow(event, details, subject, network)
  const isOwn = windows.has(own) || countOpen(now) < refusalNetworksAudited
  const facts = isOwn ? details : { ...details, user: null }
  const key = isOwn ? own : nameWindow(event, facts, null, 'others')
  const window = windows.get(key)
  if (window && isOpen(window, now)) {
    window.refusals += 1
    return
  }
  if (windows.size >= maxRemembered) windows.clear()
  windows.set(key, { endsAt: now + refusalAuditMs, refusals: 0 })
  const count = (window?.refusals ?? 0) + 1
  await writeAudit(services, context, event, { ...facts, count }).catch((error: unknown) =>
    services.log.error('audit.not_written', { error }),
  )
}

const isOpen = ({ endsAt }: { readonly endsAt: number }, nowMs: number): boolean =>
  getRemainingMs(endsAt, nowMs, refusalAuditMs) > 0

const nameWindow = (
  event: AuditEventName,
  { outcome, target }: AuditDetails,
  subject: string | number | null,
  network: string,
): string => `${JSON.stringify([event, outcome, subject, target])} ${network}`

/** With many networks and accounts at once, as in an attack by a botnet, further ones are counted together. */
const countOpen = (nowMs: number): number =>
  [...windows.values()].filter((window) => isOpen(window, nowMs)).length

/**
 * Runs a sign-in with the answer of an identity provider. Until `noteProof` is called, anyone can have caused a refusal, so
 * that it is counted against their network, and only some of them are stored.
 *
 * @throws the error of the sign-in
 * @throws AppError `too_many_requests` when refusals of the caller's network exceed the limit
 */
export const auditRefusedAnswer = async <Result>(
  services: Services,
  context: RequestContext,
  details: Pick<AuditDetails, 'target'>,
  receive: (noteProof: () => void) => Promise<Result>,
): Promise<Result> => {
  let isProven = false
  try {
    return await receive(() => {
      isProven = true
    })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const facts = { ...details, outcome: nameRefusal(error) }
    if (audited.has(error)) throw error
    if (isProven) await writeAudit(services, context, 'login.failed', facts)
    else {
      await auditRefusal(services, context, 'login.failed', facts)
      await consume(services, 'refusedAnswers', getNetwork(context.address))
    }
    throw error
  }
}

/** Refusals that have their event already. A sign-in can be a part of another one. */
const audited = new WeakSet<AppError>()

const nameRefusal = ({ code, details: { reason } }: AppError): string => reason ?? code

/**
 * Runs a sign-in of someone who proved who they are, or whose attempts are limited. If it is refused, an audit event is stored with
 * the reason.
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
    if (error instanceof AppError && !audited.has(error)) {
      audited.add(error)
      await writeAudit(services, context, 'login.failed', { ...details, outcome: nameRefusal(error) })
    }
    throw error
  }
}
