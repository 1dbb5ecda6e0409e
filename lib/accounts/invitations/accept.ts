import type { ServiceUserDetail } from '../../contract/models/user-detail.ts'
import type { Services } from '../../services.ts'
import { editUserEndingSessions } from '../../store/directory/users.ts'
import type { Step } from '../../store/engine/transaction.ts'
import type { AuthenticationMethod } from '../../store/records/session-record.ts'
import type { UserInvitation } from '../../store/records/user-invitation.ts'
import type { UserChanges, UserRecord } from '../../store/records/user-record.ts'
import { buildSessionStep } from '../../store/sign-in/sessions.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'
import { buildUnlockStep } from '../common/unlock.ts'
import { limitRights } from '../directory/rights-limit.ts'
import { toUserDetail } from '../directory/user-body.ts'
import { buildEmailState } from '../emails/email-state.ts'
import { endOtherClaims } from '../emails/other-claims.ts'
import { recognizeDevice } from '../sign-in/known-devices.ts'
import type { SessionLimits } from '../sign-in/second-factor-policy.ts'
import { buildSession, detectAdministrator } from '../sign-in/sessions.ts'
import { buildRedirect } from '../sign-in/start-page.ts'
import type { FoundInvitation } from './find-invitation.ts'

interface Acceptance {
  /** What the user proved besides their mailbox, or created now. It is also the target of the audit event. */
  readonly method: AuthenticationMethod & ('pwd' | 'passkey')
  readonly changes: UserChanges
  readonly extraSteps?: readonly Step[]
  readonly limits?: SessionLimits
}

interface AcceptedSignIn {
  readonly user: ServiceUserDetail
  readonly sessionKey: string
  readonly redirect?: string
}

/** Builds the fields that mark an invitation as accepted. The link proved the address that it was sent to. */
export const buildAcceptedFields = (
  { now }: Services,
  { user, invitation: { hash: _, ...invitation } }: FoundInvitation,
): UserChanges => ({
  ...buildEmailState(true),
  ...(invitation.rights
    ? { rightsLimit: buildInviterLimit(user, invitation.rights, invitation.sentAt) }
    : {}),
  isEmailFromProvider: undefined,
  pendingEmail: undefined,
  emailConfirmation: undefined,
  invitation: { ...invitation, acceptedAt: now() },
})

/** The invited address may be that of the inviter. */
const buildInviterLimit = (
  { rightsLimit }: UserRecord,
  { permissions, isApiToken = false }: NonNullable<UserInvitation['rights']>,
  nowMs: number,
) => limitRights(rightsLimit, { permissions, isApiToken }, { nowMs, setsEmail: true })

/**
 * Accepts an invitation and opens the session of the user. The new credential, the end of the invitation and the session
 * are one transaction, so an invitation opens one session.
 *
 * @throws EditConflict if the user was changed, or the invitation was used, since it was read
 * @throws NotUnique if another user has the address
 */
export const acceptWithSession = async (
  services: Services,
  context: RequestContext,
  found: FoundInvitation,
  { method, changes, limits, extraSteps = [] }: Acceptance,
): Promise<AcceptedSignIn> => {
  const { table, now } = services
  const { user } = found
  const device = recognizeDevice(services, context, user)
  const fields = { ...changes, ...buildAcceptedFields(services, found) }
  const later = { ...user, ...fields, credentialEpoch: user.credentialEpoch + 1 }
  const { value, session } = buildSession(services, later, context, {
    methods: [method],
    expiresAt: null,
    ...(await detectAdministrator(services, later)),
    ...limits,
  })
  // Read before the write: an error after it would hide that the session was created.
  const detail = await toUserDetail(table, { ...later, lastSeenAt: now() })
  const target = method === 'pwd' ? 'password' : method
  const accepted = await editUserEndingSessions(table, user, fields, {
    updates: device.updates,
    extraSteps: [
      buildSessionStep(session),
      buildUnlockStep(services, user),
      ...extraSteps,
      auditStep(context, 'invitation.accepted', { user: user.id, actor: user.id, target }),
      auditStep(context, 'login.succeeded', { user: user.id, actor: user.id, target: 'invitation' }),
    ],
  })
  await endOtherClaims(services, context, accepted)
  return { user: detail, sessionKey: value, ...buildRedirect(services, user) }
}
