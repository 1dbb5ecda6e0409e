import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { EditConflict } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { readDueEndings } from './ending.records.ts'
import { readOrganizationPolicy } from './policy.records.ts'
import { deleteOrganization, readOrganizations } from './records.ts'

interface EndingSummary {
  readonly deleted: number
  /** Organizations that stay for now: they are suspended, the policy changed, or an owner kept them at this moment. */
  readonly kept: number
}

/**
 * Deletes the organizations whose owners asked for it, when their time has come. Somebody may need a suspended one as it is, so it
 * stays. One that cannot be deleted does not affect the others.
 */
export const deleteDueOrganizations = async (
  { table, log, now }: Services,
  context: RequestContext,
  hasTime: () => boolean,
): Promise<EndingSummary> => {
  let [deleted, kept] = [0, 0]
  let isAllowed: boolean | undefined
  for await (const { key, id: organizationId } of readDueEndings(table, now())) {
    if (!hasTime()) break
    isAllowed ??= (await readOrganizationPolicy(table)).ending_grace_days !== null
    try {
      const [organization] = await readOrganizations(table, [organizationId])
      // Its item is written and removed with it.
      if (!organization) throw new Error(`the organization of ${key.sk} is missing`)
      if (!isAllowed || organization.state !== 'active') {
        kept++
        continue
      }
      await deleteOrganization(table, organization, now(), [
        auditStep({ ...context, organization: organizationId }, 'organization.deleted', {
          target: String(organizationId),
        }),
      ])
      deleted++
    } catch (error) {
      if (!(error instanceof EditConflict))
        log.error('organization_ending.failed', { organization: organizationId, error })
      kept++
    }
  }
  return { deleted, kept }
}
