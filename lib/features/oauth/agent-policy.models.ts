import * as z from 'zod/mini'
import { field, model } from '../../kernel/contract/model.ts'

const mostHosts = 100
/** Of a name of the DNS, with a port. */
const hostCharacters = 260
const host = z.string().check(
  z.maxLength(hostCharacters),
  z.refine(
    (text) => URL.parse(`https://${text}/`)?.host === text,
    'must be a host, such as agent.example.com',
  ),
)

/** The fields of the policy of agents. */
export const agentPolicyFields = {
  hosts: field(
    z.optional(z.array(host).check(z.maxLength(mostHosts))),
    docs && {
      description: `The hosts whose documents describe clients, up to ${mostHosts}. An agent of such a host may ask users for access to APIs that allow it. In local mode, a port belongs to the host. Default: empty.`,
      example: ['agent.example.com'],
    },
    { inEvents: 'value' },
  ),
}

/** Which agents may come that no administrator registered. */
export const AgentPolicy = model(
  agentPolicyFields,
  docs && {
    description: 'Which agents may ask users for access that no administrator registered as clients.',
    example: { hosts: ['agent.example.com'] },
  },
)
export type AgentPolicy = z.output<typeof AgentPolicy>
