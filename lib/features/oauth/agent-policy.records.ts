import { agentPolicyKey } from '../../kernel/table/keys/oauth-keys.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import { replaceSettings } from '../../kernel/table/replace-settings.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'

/** What administrators set. */
export interface AgentPolicyFields {
  /** The hosts whose documents describe clients. */
  readonly hosts: readonly string[]
  /** More hosts where the redirect URIs of a document may be. */
  readonly callbackHosts: readonly { readonly host: string; readonly callbackHost: string }[]
}

export interface StoredAgentPolicy extends AgentPolicyFields {
  readonly version: number
}

const codec = createCodec<StoredAgentPolicy>('agent policy', {
  hosts: 'list',
  callbackHosts: 'list',
  version: 'number',
})

/** The stored policy. Undefined if none was ever set, so that no host is allowed. */
export const findAgentPolicy = (table: Table): Promise<StoredAgentPolicy | undefined> =>
  findRecord(table, codec, agentPolicyKey)

/** Replaces the policy that was read before. @throws EditConflict if it was changed since */
export const replaceAgentPolicy = (
  table: Table,
  before: StoredAgentPolicy | undefined,
  { hosts, callbackHosts }: AgentPolicyFields,
  extraSteps: readonly Step[],
): Promise<void> =>
  replaceSettings(table, { key: agentPolicyKey, before, fields: { hosts, callbackHosts } }, extraSteps)
