import type { UseCase } from '../../http/use-case.ts'
import { project, readGiven } from '../../kernel/contract/projection.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { listChangedNames, listNames } from '../../kernel/util/object-fields.ts'
import type { Principal } from '../access/principal.ts'
import { auditStep } from '../audit/write-event.ts'
import { hasPasskeys } from '../directory/account-state.ts'
import { canHavePasskeys } from '../passkeys/passkey-rights.ts'
import type { passwords } from '../passwords/operations.ts'
import type { SignInPolicy as PolicyBody } from './models.ts'
import {
  defaultSignInPolicy,
  findSignInPolicy,
  replaceSignInPolicy,
  type SignInPolicy,
  type StoredSignInPolicy,
} from './policy.records.ts'
import { requireWaysKept } from './ways-to-sign-in.ts'

export const getSignInPolicy: UseCase<typeof passwords.getSignInPolicy> = async (_, { table }) => {
  const stored = await findSignInPolicy(table)
  return { status: 200, body: toPolicyBody(stored?.policy ?? defaultSignInPolicy) }
}

/** Replaces the policy. The grace period starts again when the requirement of a second factor changes. */
export const updateSignInPolicy: UseCase<typeof passwords.updateSignInPolicy> = async (
  { body, principal, context },
  services,
) => {
  const { table, now } = services
  const policy = readPolicy(body)
  const stored = await findSignInPolicy(table)
  if (policy.passkeys_only && !stored?.policy.passkeys_only) requireOwnPasskey(principal)
  const secondFactorSince = hasSameRequirement(stored, policy) ? stored.secondFactorSince : now()
  // Turning it off ends all devices, also if it is turned on again.
  const wasRemembering = (stored?.policy.remembered_device_days ?? 0) > 0
  const firstTime = policy.remembered_device_days > 0 ? now() : undefined
  const devicesRememberedSince = wasRemembering ? stored?.devicesRememberedSince : firstTime
  if (principal.kind !== 'configuration')
    await requireWaysKept(services, principal.user, {
      policy: { version: 0, ...stored, policy, secondFactorSince },
    })
  await replaceSignInPolicy(table, stored, { policy, secondFactorSince, devicesRememberedSince }, [
    auditStep(context, 'sign_in_policy.changed', {
      target: listChangedNames(
        Object.entries(toPolicyBody(stored?.policy ?? defaultSignInPolicy)),
        Object.entries(toPolicyBody(policy)),
      ).join(','),
    }),
  ])
  return { status: 200, body: toPolicyBody(policy) }
}

/**
 * An administrator who requires passkeys has used one, so that they do not lock themselves out. One who signs in only through an
 * identity provider goes on to do so.
 *
 * @throws AppError `conflict` with `own_passkey_required`
 */
const requireOwnPasskey = ({ kind, user }: Principal): void => {
  if (kind === 'configuration' || hasPasskeys(user) || !canHavePasskeys(user)) return
  throw new AppError('conflict', {
    reason: 'own_passkey_required',
    detail: 'You have no passkey, so this policy would lock you out. Add a passkey to your account first.',
  })
}

const hasSameRequirement = (
  stored: StoredSignInPolicy | undefined,
  policy: SignInPolicy,
): stored is StoredSignInPolicy => stored !== undefined && describe(stored.policy) === describe(policy)

/** Who needs a second factor or a passkey, without the grace period. */
const describe = (policy: SignInPolicy): string =>
  JSON.stringify([
    policy.passkeys_only,
    policy.second_factor_for_everybody,
    policy.second_factor_for_permissions.toSorted(),
    policy.second_factor_for_groups.toSorted((a, b) => a - b),
  ])

/** Reads a policy from a body. An omitted requirement does not exist. */
const readPolicy = (body: PolicyBody): SignInPolicy => {
  const policy: SignInPolicy = { ...defaultSignInPolicy, ...readGiven(policyNames, body) }
  return {
    ...policy,
    second_factor_for_permissions: [...new Set(policy.second_factor_for_permissions)],
    second_factor_for_groups: [...new Set(policy.second_factor_for_groups)],
  }
}

const policyNames = listNames(defaultSignInPolicy)

const toPolicyBody = (policy: SignInPolicy): PolicyBody => project(policyNames, policy)
