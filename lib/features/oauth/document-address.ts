import { clientAddressCharacters } from '../../kernel/limits/limits.ts'
import type { Services } from '../../services.ts'
import { isLoopbackHost } from '../connections/web-address.ts'
import { findAgentPolicy } from './agent-policy.records.ts'

/** Where a document is, and what the agent policy says of it now. */
export interface DocumentPlace {
  readonly address: URL
  /** More hosts where its redirect URIs may be. */
  readonly callbackHosts: readonly string[]
  /** The version of the policy. */
  readonly policyVersion: number
}

/** The place, or why there is none, for the developer of an agent. It says nothing about other hosts. */
type DocumentAddress =
  | (DocumentPlace & { readonly refusal?: never })
  | { readonly address?: never; readonly refusal: string }

/**
 * Reads the address of a client's document from an identifier: https, a path, and nothing else, on a host that the agent policy
 * names. In local mode, the host may be this machine. The normal form is required, so that a client has one identifier. Only an
 * identifier of this form costs a table call.
 */
export const readDocumentAddress = async (
  { table, config }: Pick<Services, 'table' | 'config'>,
  clientId: string,
): Promise<DocumentAddress> => {
  const url = clientId.length <= clientAddressCharacters ? URL.parse(clientId) : null
  const isNormal = url !== null && url.href === clientId && url.pathname !== '/' && !/[?#@]/.test(clientId)
  const isSecure = url?.protocol === 'https:' && url.port === ''
  const isLocal =
    config.allowPrivateMetadata && url !== null && /^https?:$/.test(url.protocol) && isLoopbackHost(url)
  if (!isNormal || !(isSecure || isLocal))
    return {
      refusal: 'client_id must be https, a host without a port, a path and nothing else, in its normal form',
    }
  const policy = await findAgentPolicy(table)
  if (policy?.hosts.includes(url.host))
    return {
      address: url,
      callbackHosts: policy.callbackHosts.flatMap((pair) =>
        pair.host === url.host ? pair.callbackHost : [],
      ),
      policyVersion: policy.version,
    }
  return {
    refusal: `documents of the host ${url.host} do not describe clients here. An administrator can allow it in the console: APIs, "Agents"`,
  }
}
