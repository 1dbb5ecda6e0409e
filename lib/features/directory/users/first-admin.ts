import { buildDeploymentContext } from '../../../accounts/callers/request-context.ts'
import { buildEmailState } from '../../../accounts/names/email-confirmations.ts'
import { normalizeEmail } from '../../../accounts/names/names.ts'
import { buildFirstAdminStep, hasFirstAdmin } from '../../../accounts/users/admins.records.ts'
import { buildUser } from '../../../accounts/users/new-user.ts'
import { firstCredentialEpoch } from '../../../accounts/users/plan-new-user.records.ts'
import { LooksLikeOther, NotUnique } from '../../../accounts/users/stored-user.records.ts'
import { createUser } from '../../../accounts/users/write-users.records.ts'
import { hashPassword } from '../../../kernel/secrets/passwords.ts'
import { ConditionFailed } from '../../../kernel/table/transaction.ts'
import { omitUndefined } from '../../../kernel/util/object-fields.ts'
import type { Services } from '../../../services.ts'
import { buildInvitation, buildInvitationSteps } from '../../invitations/invite.ts'
import { buildFirstSignInPolicyStep, firstSignInPolicy } from '../../sign-in/policy.records.ts'
import { buildSkeletonField } from '../names/lookalikes.ts'

/**
 * How the first administrator gets in: with a password, or with an invitation to an address. Local mode gives the account of the
 * password an address that is verified, because products ask for one.
 */
export type FirstAdmin =
  | { readonly readPassword: () => string | Promise<string>; readonly verifiedEmail?: string }
  | { readonly email: string; readonly requestId: string }

/**
 * Creates the user `admin` and the first sign-in policy once in the lifetime of a table. It is not created again after it was renamed, disabled or
 * deleted, because a restart must not restore an account. The password is read only if it is needed: operators may delete its secret.
 * An invitation is queued in the same transaction, so it is sent at most once. Returns whether it was created now.
 */
export const ensureFirstAdmin = async (services: Services, first: FirstAdmin): Promise<boolean> => {
  const { table, config, now } = services
  if (await hasFirstAdmin(table)) return false
  const invitation =
    'email' in first
      ? buildInvitation(services, undefined, normalizeEmail(first.email), firstCredentialEpoch)
      : undefined
  const user = buildUser({
    username: 'admin',
    ...(await buildSkeletonField(config, 'admin')),
    permissions: ['system:admin-access'],
    ...('email' in first
      ? { email: first.email, ...buildEmailState(undefined), ...omitUndefined({ invitation }) }
      : {
          ...(first.verifiedEmail !== undefined && {
            email: first.verifiedEmail,
            ...buildEmailState('administrator'),
          }),
          passwordHash: await hashPassword(await first.readPassword(), config.passwordCost),
        }),
  })
  try {
    await createUser(table, user, now(), {
      extraSteps: (id) => [
        buildFirstAdminStep(now()),
        buildFirstSignInPolicyStep(firstSignInPolicy, now()),
        ...('email' in first && invitation
          ? buildInvitationSteps(services, buildDeploymentContext(now(), first.requestId), id, invitation)
          : []),
      ],
    })
    return true
  } catch (error) {
    const isTaken = error instanceof NotUnique || error instanceof LooksLikeOther
    if (error instanceof ConditionFailed || isTaken) return false
    throw error
  }
}
