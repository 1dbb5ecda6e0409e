import type { UseCase } from '../../http/use-case.ts'
import { listChangedNames } from '../../kernel/util/object-fields.ts'
import { auditStep } from '../audit/write-event.ts'
import type { passwords } from '../passwords/operations.ts'
import type { SignInPolicy as PolicyBody } from './models.ts'
import {
  findSignInPolicy,
  replaceSignInPolicy,
  type SecondFactorRequirement,
  type SignInPolicy,
  type StoredSignInPolicy,
} from './policy.records.ts'
import { defaultSignInPolicy } from './policy.ts'

export const getSignInPolicy: UseCase<typeof passwords.getSignInPolicy> = async (_, { table }) => {
  const stored = await findSignInPolicy(table)
  return { status: 200, body: toPolicyBody(stored?.policy ?? defaultSignInPolicy) }
}

/** Replaces the policy. The grace period starts again when the requirement of a second factor changes. */
export const updateSignInPolicy: UseCase<typeof passwords.updateSignInPolicy> = async (
  { body, context },
  { table, now },
) => {
  const policy = readPolicy(body)
  const stored = await findSignInPolicy(table)
  const secondFactorSince = hasSameRequirement(stored, policy) ? stored.secondFactorSince : now()
  await replaceSignInPolicy(table, stored, { policy, secondFactorSince }, [
    auditStep(context, 'sign_in_policy.changed', {
      target: listChangedNames(
        Object.entries(toPolicyBody(stored?.policy ?? defaultSignInPolicy)),
        Object.entries(toPolicyBody(policy)),
      ).join(','),
    }),
  ])
  return { status: 200, body: toPolicyBody(policy) }
}

const hasSameRequirement = (
  stored: StoredSignInPolicy | undefined,
  { secondFactor }: SignInPolicy,
): stored is StoredSignInPolicy =>
  stored !== undefined && describe(stored.policy.secondFactor) === describe(secondFactor)

/** Who needs a second factor, without the grace period. */
const describe = ({ forEverybody, forPermissions, forGroups }: SecondFactorRequirement): string =>
  JSON.stringify([forEverybody, forPermissions.toSorted(), forGroups.toSorted((a, b) => a - b)])

/** Reads a policy from a body. An omitted requirement does not exist. */
const readPolicy = (body: PolicyBody): SignInPolicy => ({
  secondFactor: {
    forEverybody: body.second_factor_for_everybody ?? false,
    forPermissions: [...new Set(body.second_factor_for_permissions)],
    forGroups: [...new Set(body.second_factor_for_groups)],
    graceDays: body.second_factor_grace_days ?? 0,
  },
  passwordOnlyMinLength: body.password_only_min_length ?? null,
  allowEmailCodes: body.allow_email_codes ?? false,
  accountDeletion: {
    mode: body.account_deletion ?? defaultSignInPolicy.accountDeletion.mode,
    graceDays: body.account_deletion_grace_days ?? defaultSignInPolicy.accountDeletion.graceDays,
  },
})

const toPolicyBody = ({
  secondFactor,
  passwordOnlyMinLength,
  allowEmailCodes,
  accountDeletion,
}: SignInPolicy): PolicyBody => ({
  second_factor_for_everybody: secondFactor.forEverybody,
  second_factor_for_permissions: [...secondFactor.forPermissions],
  second_factor_for_groups: [...secondFactor.forGroups],
  second_factor_grace_days: secondFactor.graceDays,
  password_only_min_length: passwordOnlyMinLength,
  allow_email_codes: allowEmailCodes,
  account_deletion: accountDeletion.mode,
  account_deletion_grace_days: accountDeletion.graceDays,
})
