import { recorded } from '../../lib/accounts/visitor.ts'
import type { impersonation } from '../../lib/contract/operations/impersonation.ts'
import { conflict } from '../../lib/core/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { ConditionFailed } from '../../lib/store/outcomes.ts'
import { endImpersonation } from '../../lib/store/sessions.ts'

/** Makes the session the administrator's own again. What was going on is known to the server; nothing is asked. */
export const stopImpersonation: UseCase<typeof impersonation.stopImpersonation> = async (
  { principal: { user, actor, session }, visitor },
  { table },
) => {
  const notActive = () => conflict('This session doesn’t go on as anybody else.')
  if (!actor) throw notActive()
  try {
    const record = recorded(visitor, 'impersonation.stopped', { user: user.id, actor: actor.id })
    await endImpersonation(table, session, [record])
  } catch (error) {
    if (error instanceof ConditionFailed) throw notActive()
    throw error
  }
  return { status: 204 }
}
