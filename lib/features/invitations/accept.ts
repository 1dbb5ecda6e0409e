import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { buildUnlockStep } from '../../accounts/callers/throttle.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { buildEmailState } from '../../accounts/names/email-confirmations.ts'
import type { AuthenticationMethod } from '../../accounts/sessions/stored-session.records.ts'
import { buildEndSessionsChange } from '../../accounts/users/build-user-step.records.ts'
import type { UserChanges, UserInvitation, UserRecord } from '../../accounts/users/stored-user.records.ts'
import { editUserEndingSessions } from '../../accounts/users/write-users.records.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { endOtherClaims } from '../directory/addresses/other-claims.ts'
import { limitRights } from '../directory/rights/rights-limit.ts'
import { completeClientSignIn, type SignInAnswer } from '../sign-in/complete-sign-in.ts'
import type { SessionLimits } from '../sign-in/limit-session.ts'
import type { StoredSignInPolicy } from '../sign-in/policy.records.ts'
import type { FoundInvitation } from './find-invitation.ts'

interface Acceptance {
  /** What the user proved besides their mailbox, or created now. It is also the target of the audit event. */
  readonly method: AuthenticationMethod & ('pwd' | 'passkey')
  readonly changes: UserChanges
  readonly extraSteps?: readonly Step[]
  readonly limits?: SessionLimits
  readonly policy: StoredSignInPolicy | undefined
}

/** Builds the fields that mark an invitation as accepted. The link proved the address that it was sent to. */
export const buildAcceptedFields = (
  { now }: Services,
  { user, invitation: { hash: _, ...invitation } }: FoundInvitation,
): UserChanges => ({
  ...buildEmailState('invitation'),
  ...(invitation.rights
    ? { rightsLimit: buildInviterLimit(user, invitation.rights, invitation.madeAt) }
    : {}),
  isEmailFromProvider: undefined,
  pendingEmail: undefined,
  emailConfirmation: undefined,
  invitation: { ...invitation, acceptedAt: now() },
})

/** The invited address may be that of the inviter, who gets no link otherwise. Nobody could sign in to the account before. */
const buildInviterLimit = (
  { rightsLimit }: UserRecord,
  { permissions, isApiToken = false }: NonNullable<UserInvitation['rights']>,
  nowMs: number,
) => limitRights(rightsLimit, { permissions, isApiToken }, { nowMs, setsEmail: true, isMailedOnly: true })

/**
 * Accepts an invitation and signs its user in. The new credential, the end of the invitation and the session are one
 * transaction, so an invitation opens one session.
 *
 * @throws EditConflict if the user was changed, or the invitation was used, since it was read
 * @throws NotUnique if another user has the address
 */
export const acceptWithSession = (
  services: Services,
  context: RequestContext,
  found: FoundInvitation,
  { method, changes, limits = {}, policy, extraSteps = [] }: Acceptance,
): Promise<SignInAnswer> => {
  const { user } = found
  const accepted = { ...changes, ...buildAcceptedFields(services, found) }
  const target = method === 'pwd' ? 'password' : method
  return completeClientSignIn(services, context, {
    user,
    methods: [method],
    policy,
    session: limits,
    target: 'invitation',
    fields: { ...accepted, ...buildEndSessionsChange(user) },
    buildProofSteps: () => [
      buildUnlockStep(services, user),
      ...extraSteps,
      auditStep(context, 'invitation.accepted', { user: user.id, actor: user.id, target }),
    ],
    commit: async (options) =>
      endOtherClaims(
        services,
        context,
        await editUserEndingSessions(services.table, user, accepted, options),
      ),
  })
}

/** Accepts an invitation again after each change of the account in between. */
export const retryAcceptance = <Result>(accept: () => Promise<Result>): Promise<Result> =>
  retryConflicts(accept, 'The account kept changing while its invitation was accepted. Try again.')
