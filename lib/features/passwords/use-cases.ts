import { consume } from '../../accounts/callers/throttle.ts'
import { writeSettings } from '../../accounts/events/write-settings.ts'
import type { UseCase } from '../../http/use-case.ts'
import { conflict, invalidRequest } from '../../kernel/errors/errors.ts'
import { evaluate } from './evaluate.ts'
import { generateFromPolicy } from './generate.ts'
import { passwordPolicyFields } from './models.ts'
import type { passwords } from './operations.ts'
import { splitWords } from './own-names.ts'
import { findPasswordPolicy, replacePasswordPolicy } from './policy.records.ts'
import { checkPolicy, defaultPolicy, loadPolicyFor, readPolicy, toPolicyBody } from './policy.ts'
import { estimateStrength } from './strength.ts'

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
  const change = {
    fields: passwordPolicyFields,
    before: toPolicyBody(read?.policy ?? defaultPolicy),
    after: toPolicyBody(policy),
  }
  await writeSettings(context, { event: 'password_policy.changed', ...change }, (steps) =>
    replacePasswordPolicy(services.table, read, policy, steps),
  )
  return { status: 200, body: toPolicyBody(policy) }
}

/**
 * Checks a password against a policy. With the policy of the service, the result is the same as if the caller chose the
 * password. A custom policy is checked alone, without the caller's names and the limits of the service.
 */
export const evaluatePassword: UseCase<typeof passwords.evaluatePassword> = async (
  { body, principal: { user } },
  services,
) => {
  await consume(services, 'passwordToolUses', String(user.id))
  const { password, custom_policy: custom } = body
  const policy = custom
    ? await checkPolicy(readPolicy(custom), 'custom_policy.')
    : await loadPolicyFor(services, user)
  const strength = await estimateStrength(password, splitWords(user))
  const problems = await evaluate(services, password, policy, { strength, ...(custom ? {} : { user }) })
  return {
    status: 200,
    body: {
      errors: problems.map(({ message }) => message),
      time_to_crack: strength.secondsToCrack,
      ...(custom ? {} : { username: user.username, policy: toPolicyBody(policy) }),
    },
  }
}

/** Generates a password that meets the policy, so that the caller can use it without changes. */
export const generatePassword: UseCase<typeof passwords.generatePassword> = async (
  { principal: { user } },
  services,
) => {
  await consume(services, 'passwordToolUses', String(user.id))
  const { password } = await generateFromPolicy(services, await loadPolicyFor(services, user), user)
  if (password === undefined)
    throw conflict('No password satisfies the current password policy. Ask an administrator to relax it.')
  return { status: 200, body: { password } }
}
