import { writeSettings } from '../../accounts/events/write-settings.ts'
import type { UseCase } from '../../http/use-case.ts'
import { type AgentPolicy, agentPolicyFields } from './agent-policy.models.ts'
import { type AgentPolicyFields, findAgentPolicy, replaceAgentPolicy } from './agent-policy.records.ts'
import type { protectedApis } from './protected-apis.operations.ts'

export const getAgentPolicy: UseCase<typeof protectedApis.getAgentPolicy> = async (_, { table }) => ({
  status: 200,
  body: toBody(await findAgentPolicy(table)),
})

const toBody = ({ hosts, callbackHosts }: AgentPolicyFields = { hosts: [], callbackHosts: [] }) => ({
  hosts: [...hosts],
  callback_hosts: callbackHosts.map(({ host, callbackHost }) => ({ host, callback_host: callbackHost })),
})

/** Replaces the hosts. Agents of a host that is missing then get no more tokens, and those that they have end. */
export const updateAgentPolicy: UseCase<typeof protectedApis.updateAgentPolicy> = async (
  { body, context },
  { table },
) => {
  const stored = await findAgentPolicy(table)
  const after = readPolicy(body)
  const change = { fields: agentPolicyFields, before: sorted(stored), after: sorted(after) }
  await writeSettings(context, { event: 'agent_policy.changed', ...change }, (steps) =>
    replaceAgentPolicy(table, stored, after, steps),
  )
  return { status: 200, body: toBody(after) }
}

const readPolicy = ({ hosts = [], callback_hosts: pairs = [] }: AgentPolicy): AgentPolicyFields => {
  const callbackHosts = new Map(
    pairs.map(({ host, callback_host: callbackHost }) => [`${host} ${callbackHost}`, { host, callbackHost }]),
  )
  return { hosts: [...new Set(hosts)], callbackHosts: [...callbackHosts.values()] }
}

/** The order of hosts has no meaning, so that another one is no change. */
const sorted = (policy: AgentPolicyFields | undefined) => {
  const { hosts, callback_hosts: pairs } = toBody(policy)
  const nameOf = (pair: (typeof pairs)[number]) => `${pair.host} ${pair.callback_host}`
  return {
    hosts: hosts.sort(),
    callback_hosts: pairs.sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1)),
  }
}
