import { organizationPolicyKey } from '../../kernel/table/keys/organization-keys.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import { replaceSettings } from '../../kernel/table/replace-settings.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { Stored } from '../../kernel/util/object-fields.ts'
import type { OrganizationPolicy as PolicyBody } from './policy.models.ts'

export type OrganizationPolicy = Stored<Required<PolicyBody>>

interface StoredPolicy {
  readonly policy: OrganizationPolicy
  /** Increases with each edit. An edit of an older version is rejected. */
  readonly version: number
}

const codec = createCodec<StoredPolicy>('policy of organizations', { policy: 'map', version: 'number' })

/** The policy of a service without a stored one. */
export const defaultOrganizationPolicy: OrganizationPolicy = {
  creation: 'administrators',
  creations_max: 3,
  ending_grace_days: null,
  company_sign_in: 'never',
}

/** The policy that holds now. */
export const readOrganizationPolicy = async (table: Table): Promise<OrganizationPolicy> => ({
  ...defaultOrganizationPolicy,
  ...(await findOrganizationPolicy(table))?.policy,
})

/** The stored policy. Undefined if none was ever set. */
export const findOrganizationPolicy = (table: Table): Promise<StoredPolicy | undefined> =>
  findRecord(table, codec, organizationPolicyKey)

/** Replaces the policy that was read before. @throws EditConflict if it was changed since */
export const replaceOrganizationPolicy = (
  table: Table,
  before: StoredPolicy | undefined,
  policy: OrganizationPolicy,
  extraSteps: readonly Step[],
): Promise<void> =>
  replaceSettings(table, { key: organizationPolicyKey, before, fields: { policy } }, extraSteps)
