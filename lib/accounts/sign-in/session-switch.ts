import { mintCredential } from '../../secrets/credentials.ts'
import type { Services } from '../../services.ts'
import type { Step } from '../../store/engine/transaction.ts'
import { moveImpersonatingSession } from '../../store/sign-in/impersonation.ts'
import type { SessionRecord } from '../../store/sign-in/session-record.ts'
import type { SessionPrincipal } from '../common/principal.ts'

/**
 * Starts or, without `impersonation`, stops impersonating with a new credential, which it returns. A cookie that leaked
 * before does not get the rights of another user, and one that leaked while impersonating does not become that of the
 * administrator.
 *
 * @throws ConditionFailed if the session has ended, impersonates a user already, or does not impersonate one
 */
export const switchWithNewCredential = async (
  { table, now }: Services,
  { session }: SessionPrincipal,
  extraSteps: readonly Step[],
  impersonation?: NonNullable<SessionRecord['impersonation']>,
): Promise<string> => {
  const { value, hash } = mintCredential('session', session.userId)
  const change = { hash, nowMs: now(), ...(impersonation ? { impersonation } : {}) }
  await moveImpersonatingSession(table, session, change, extraSteps)
  return value
}
