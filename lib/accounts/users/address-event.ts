import type { Step } from '../../kernel/table/transaction.ts'
import type { RequestContext } from '../callers/request-context.ts'
import { changeSteps } from '../events/change-event.ts'
import type { UserRecord } from './stored-user.records.ts'
import { toUserChange } from './user-change.ts'

interface AddressChange {
  readonly before: Pick<UserRecord, 'id' | 'email'>
  readonly after: Pick<UserRecord, 'email'>
  /** Who acted, if not the caller of the request. */
  readonly actor?: number | null
  readonly target?: string | null
}

/**
 * Builds the steps of an event about the address of a user. The addresses stand beside the event, because they end with the person. An
 * address that stays the same is no change.
 */
export const addressSteps = (
  context: RequestContext,
  event: 'email.confirmed' | 'email.claim_ended' | 'user.changed',
  { before, after, target = null, ...details }: AddressChange,
): readonly Step[] =>
  changeSteps(context, event, {
    user: before.id,
    change: toUserChange({ email: before.email }, { email: after.email }),
    target,
    ...details,
  })
