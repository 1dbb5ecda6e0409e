import { agentPolicyKey } from '../../kernel/table/keys/oauth-keys.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import { replaceSettings } from '../../kernel/table/replace-settings.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'

/** The hosts whose documents describe clients, as administrators set them. */
interface StoredAgentPolicy {
  readonly hosts: readonly string[]
  readonly version: number
}

const codec = createCodec<StoredAgentPolicy>('agent policy', { hosts: 'list', version: 'number' })

/** The stored policy. Undefined if none was ever set, so that no host is allowed. */
export const findAgentPolicy = (table: Table): Promise<StoredAgentPolicy | undefined> =>
  findRecord(table, codec, agentPolicyKey)

/** Replaces the policy that was read before. @throws EditConflict if it was changed since */
export const replaceAgentPolicy = (
  table: Table,
  before: StoredAgentPolicy | undefined,
  hosts: readonly string[],
  extraSteps: readonly Step[],
): Promise<void> => replaceSettings(table, { key: agentPolicyKey, before, fields: { hosts } }, extraSteps)
