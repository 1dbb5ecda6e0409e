import { readInResponseTo } from '../../saml/in-response-to.ts'
import type { Table } from '../../store/engine/table.ts'
import type { SamlFlow } from '../../store/records/saml-flow-record.ts'
import { findFlow } from '../../store/saml/saml-flows.ts'

/** What comes by way of a browser, as it was posted. */
export interface Posted {
  readonly response: string
  readonly relayState: string
}

/** A sign-in that was begun here, and what it is kept under. */
export interface NamedFlow {
  readonly name: string
  readonly flow: SamlFlow
}

/**
 * The sign-in that a response is meant for, whether it waits or not: the one that its RelayState names. Some identity
 * providers lose that; then it is the one whose request the response says it answers. Either is a claim: the response is
 * held against the sign-in afterwards, and so is the browser that brought it. A RelayState that isn't ours names nothing:
 * somebody put it there.
 */
export const findNamedFlow = async (
  table: Table,
  providerId: number,
  { response, relayState }: Posted,
): Promise<NamedFlow | undefined> => {
  const name = relayState === '' ? readInResponseTo(response) : relayState
  const flow = name === undefined ? undefined : await findFlow(table, providerId, name)
  return name === undefined || !flow ? undefined : { name, flow }
}
