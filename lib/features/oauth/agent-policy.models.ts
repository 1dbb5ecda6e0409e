import * as z from 'zod/mini'
import { field, model } from '../../kernel/contract/model.ts'

const mostHosts = 100
/** Of a name of the DNS, with a port. */
const hostCharacters = 260
const host = z.string().check(
  z.maxLength(hostCharacters),
  z.refine(
    // Browsers also accept other characters in a host, such as a wildcard.
    (text) => /^[\w.:[\]-]+$/.test(text) && URL.parse(`https://${text}/`)?.host === text,
    'must be a host, such as agent.example.com',
  ),
)

export const CallbackHost = model(
  {
    host: field(
      host,
      docs && 'The host of the document. While it is not one of `hosts`, the entry has no effect.',
    ),
    callback_host: field(
      host,
      docs &&
        'Another host of the same company, where users of these agents may come back to. It needs https.',
    ),
  },
  docs && {
    description:
      'Two hosts of one company: one has the document of an agent, and the other one receives its codes.',
    example: { host: 'agent.example.com', callback_host: 'console.example.com' },
  },
)
export type CallbackHost = z.output<typeof CallbackHost>

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
  callback_hosts: field(
    z.optional(z.array(CallbackHost).check(z.maxLength(mostHosts))),
    docs && {
      description: `More hosts where the redirect URIs of a document may be, up to ${mostHosts}. Without an entry, they are on the host of the document or at a loopback address. Default: empty.`,
      example: [{ host: 'agent.example.com', callback_host: 'console.example.com' }],
    },
    { inEvents: 'value' },
  ),
}

/** Which agents may come that no administrator registered. */
export const AgentPolicy = model(
  agentPolicyFields,
  docs && {
    description: 'Which agents may ask users for access that no administrator registered as clients.',
    example: {
      hosts: ['agent.example.com'],
      callback_hosts: [{ host: 'agent.example.com', callback_host: 'console.example.com' }],
    },
  },
)
export type AgentPolicy = z.output<typeof AgentPolicy>
