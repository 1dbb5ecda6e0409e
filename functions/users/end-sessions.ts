import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { requireRightToChange } from '../../lib/accounts/directory/account-rights.ts'
import { requireUser } from '../../lib/accounts/directory/require-records.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { notFound } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { endAllSessions } from '../../lib/store/sign-in/end-sessions.ts'

/** Signs a user out everywhere. Their sessions, tickets, and password reset links end with one write. */
export const endUserSessions: UseCase<typeof users.endUserSessions> = async (
  { params, principal, context },
  services,
) => {
  const user = await requireUser(services.table, params.id)
  await requireRightToChange(services, principal, user)
  const record = auditStep(context, 'session.ended', { user: user.id, target: 'all' })
  if (!(await endAllSessions(services.table, user, [record]))) throw notFound()
  return { status: 204 }
}
