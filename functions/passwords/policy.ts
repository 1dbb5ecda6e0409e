import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { generateFromPolicy } from '../../lib/accounts/passwords/generate.ts'
import { checkPolicy, defaultPolicy } from '../../lib/accounts/passwords/policy.ts'
import { readPolicy, toPolicyBody } from '../../lib/accounts/passwords/policy-body.ts'
import type { passwords } from '../../lib/contract/operations/passwords.ts'
import { invalidRequest } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { findPasswordPolicy, replacePasswordPolicy } from '../../lib/store/directory/password-policy.ts'

export const getPasswordPolicy: UseCase<typeof passwords.getPasswordPolicy> = async (_, { table }) => {
  const stored = await findPasswordPolicy(table)
  return { status: 200, body: toPolicyBody(stored?.policy ?? defaultPolicy) }
}

/** Replaces the policy. A policy that hardly any password meets is rejected, because it would lock users out. */
export const updatePasswordPolicy: UseCase<typeof passwords.updatePasswordPolicy> = async (
  { body, context },
  services,
) => {
  const policy = readPolicy(body)
  const read = await findPasswordPolicy(services.table)
  const { errors } = await generateFromPolicy(services, await checkPolicy(policy))
  if (errors) throw invalidRequest(errors)
  await replacePasswordPolicy(services.table, read, policy, [auditStep(context, 'password_policy.changed')])
  return { status: 200, body: toPolicyBody(policy) }
}
