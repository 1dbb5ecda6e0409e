import { requireShown } from '../../accounts/callers/decisions.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { buildOutboxStep } from '../../accounts/outbox/outbox.records.ts'
import type { UseCase } from '../../http/use-case.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { day } from '../../kernel/util/time.ts'
import type { organizationEnding } from './ending.operations.ts'
import { readOrganizationPolicy } from './policy.records.ts'
import { editOrganization } from './records.ts'
import { toBodyWithCounts } from './use-cases.ts'

/** Asks for the deletion of an organization. It stays as it is until then. */
export const requestOrganizationEnding: UseCase<typeof organizationEnding.requestOrganizationEnding> = async (
  { body: { shown }, organization: access, context },
  { table, now },
) => {
  const { organization } = access
  const { id, name } = organization
  const { ending_grace_days: graceDays } = await readOrganizationPolicy(table)
  if (graceDays === null)
    throw new AppError('permission_denied', {
      reason: 'ending_off',
      detail: 'Only administrators of this service delete organizations. Ask one of them.',
    })
  requireShown(shown, { organization: id, name, grace_days: graceDays })
  if (organization.endsAt) return { status: 200, body: await toBodyWithCounts(table, access) }
  const endsAt = now() + graceDays * day
  const edited = await editOrganization(table, organization, { endsAt }, [
    auditStep(context, 'organization.ending_requested', { target: String(id) }),
    buildOutboxStep({ kind: 'organization_ending', organizationId: id, endsAt }, context, now()),
  ])
  return { status: 200, body: await toBodyWithCounts(table, access, edited) }
}

/** Keeps an organization. */
export const withdrawOrganizationEnding: UseCase<
  typeof organizationEnding.withdrawOrganizationEnding
> = async ({ organization: { organization }, context }, { table }) => {
  if (organization.endsAt)
    await editOrganization(table, organization, { endsAt: null }, [
      auditStep(context, 'organization.ending_withdrawn', { target: String(organization.id) }),
    ])
  return { status: 204 }
}
