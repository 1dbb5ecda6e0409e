import { writeSettings } from '../../accounts/events/write-settings.ts'
import type { UseCase } from '../../http/use-case.ts'
import { project, readGiven } from '../../kernel/contract/projection.ts'
import { AppError, type FieldError, invalidRequest } from '../../kernel/errors/errors.ts'
import { listNames } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import type { invitations } from './operations.ts'
import type { SignUpPolicy as PolicyBody } from './sign-up.models.ts'
import { signUpPolicyFields } from './sign-up.models.ts'
import { findSignUpPolicy, replaceSignUpPolicy, type SignUpPolicy } from './sign-up.records.ts'
import { defaultSignUpPolicy, normalizeDomain, requirePlainTemplate } from './sign-up-rules.ts'

export const getSignUpPolicy: UseCase<typeof invitations.getSignUpPolicy> = async (_, { table }) => {
  const stored = await findSignUpPolicy(table)
  return { status: 200, body: toBody(stored?.policy ?? defaultSignUpPolicy) }
}

/** Replaces the policy. A template that would make administrators is refused here, and again when it is used. */
export const updateSignUpPolicy: UseCase<typeof invitations.updateSignUpPolicy> = async (
  { body, context },
  services,
) => {
  const errors = [...validate(body), ...(await validateTemplate(services, body.user_template))]
  if (errors.length > 0) throw invalidRequest(errors)
  const policy = readPolicy(body)
  const stored = await findSignUpPolicy(services.table)
  const before = toBody(stored?.policy ?? defaultSignUpPolicy)
  const change = { fields: signUpPolicyFields, before, after: toBody(policy) }
  await writeSettings(context, { event: 'sign_up_policy.changed', ...change }, (steps) =>
    replaceSignUpPolicy(services.table, stored, policy, steps),
  )
  return { status: 200, body: toBody(policy) }
}

const validate = (body: PolicyBody): readonly FieldError[] => {
  const { mode, domains = [], terms_version: version = null, terms_url: url = null } = body
  const listed = (['domains', 'refused_domains'] as const).flatMap((field) =>
    (body[field] ?? []).flatMap((domain, at) =>
      normalizeDomain(domain) === undefined
        ? [{ field: `${field}.${at}`, message: 'must be a domain such as example.com' }]
        : [],
    ),
  )
  return [
    ...listed,
    ...(mode === 'domains' && domains.length === 0
      ? [{ field: 'domains', message: 'must list at least one domain' }]
      : []),
    ...(url !== null && URL.parse(url)?.protocol !== 'https:'
      ? [{ field: 'terms_url', message: 'must be an https URL' }]
      : []),
    ...((version === null) === (url === null)
      ? []
      : [{ field: version === null ? 'terms_version' : 'terms_url', message: 'is required with the other' }]),
  ]
}

const validateTemplate = async (
  services: Services,
  id: number | null | undefined,
): Promise<readonly FieldError[]> => {
  try {
    await requirePlainTemplate(services, id ?? null)
    return []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const message =
      'must be a template that exists. Neither it nor its groups may have `system:admin-access` or `users:manage`.'
    return [{ field: 'user_template', message }]
  }
}

const policyNames = listNames(defaultSignUpPolicy)

/** Reads a policy from a body. An omitted field has its default. */
const readPolicy = (body: PolicyBody): SignUpPolicy => {
  const policy: SignUpPolicy = { ...defaultSignUpPolicy, ...readGiven(policyNames, body) }
  const read = (domains: readonly string[]) => [
    ...new Set(domains.flatMap((domain) => normalizeDomain(domain) ?? [])),
  ]
  return {
    ...policy,
    domains: read(policy.domains),
    refused_domains: read(policy.refused_domains),
    approvers: [...new Set(policy.approvers)],
  }
}

const toBody = (policy: SignUpPolicy): PolicyBody => project(policyNames, policy)
