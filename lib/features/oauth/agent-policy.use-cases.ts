import { writeSettings } from '../../accounts/events/write-settings.ts'
import type { UseCase } from '../../http/use-case.ts'
import { agentPolicyFields } from './agent-policy.models.ts'
import { findAgentPolicy, replaceAgentPolicy } from './agent-policy.records.ts'
import type { protectedApis } from './protected-apis.operations.ts'

export const getAgentPolicy: UseCase<typeof protectedApis.getAgentPolicy> = async (_, { table }) => {
  const { hosts = [] } = (await findAgentPolicy(table)) ?? {}
  return { status: 200, body: { hosts: [...hosts] } }
}

/** Replaces the hosts. Agents of a host that is missing then get no more tokens, and those that they have end. */
export const updateAgentPolicy: UseCase<typeof protectedApis.updateAgentPolicy> = async (
  { body, context },
  { table },
) => {
  const stored = await findAgentPolicy(table)
  const before = { hosts: [...(stored?.hosts ?? [])].sort() }
  const after = { hosts: [...new Set(body.hosts)] }
  const change = { fields: agentPolicyFields, before, after: { hosts: [...after.hosts].sort() } }
  await writeSettings(context, { event: 'agent_policy.changed', ...change }, (steps) =>
    replaceAgentPolicy(table, stored, after.hosts, steps),
  )
  return { status: 200, body: after }
}
