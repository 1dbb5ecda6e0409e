import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { type OrganizationPolicy, readOrganizationPolicy } from '../organizations/policy.records.ts'
import type { Connection, ConnectionSetup } from './records.ts'

/* What organizations bring counts as the policy of the service says: not at all, after an approval, or once it is finished. */

/** @throws AppError `permission_denied` if organizations may not bring an identity provider */
export const requireCompanySignIn = async (
  table: Table,
): Promise<Exclude<OrganizationPolicy['company_sign_in'], 'never'>> => {
  const { company_sign_in: allowed } = await readOrganizationPolicy(table)
  if (allowed !== 'never') return allowed
  throw new AppError('permission_denied', {
    reason: 'company_sign_in_off',
    detail: 'Only administrators of this service connect identity providers of organizations.',
  })
}

/**
 * What the set-up of a connection becomes when it is finished: null for one that goes live.
 *
 * @throws AppError `permission_denied` if organizations may not bring an identity provider any more
 */
export const chooseFinishedState = async (
  table: Table,
  { isFromOrganization }: Pick<Connection, 'isFromOrganization'>,
): Promise<ConnectionSetup | null> =>
  isFromOrganization && (await requireCompanySignIn(table)) === 'ask'
    ? { link: null, awaitsApproval: true }
    : null

export const isAwaitingApproval = ({ setup }: Pick<Connection, 'setup'>): boolean =>
  setup?.awaitsApproval === true

/** Whether a connection, or a domain that was added to it, waits for an administrator. */
export const needsApproval = (connection: Pick<Connection, 'setup' | 'domains'>): boolean =>
  isAwaitingApproval(connection) ||
  (!connection.setup && connection.domains.some(({ awaitsApproval }) => awaitsApproval === true))

/** The audit event of a connection that waits for an administrator. */
export const auditApprovalRequest = (
  context: RequestContext,
  { id, organization_id: organization }: Pick<Connection, 'id' | 'organization_id'>,
): Step =>
  auditStep(context, 'connection.approval_requested', {
    target: String(id),
    ...(organization !== null && { organization }),
  })
