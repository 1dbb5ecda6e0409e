import type { ConnectionKindName } from '../../kernel/contract/connection-kinds.ts'
import { oidcProtocol } from './oidc/protocol.ts'
import type { Protocol } from './protocol.ts'
import type { ConnectionName } from './records.ts'
import { samlProtocol } from './saml/protocol.ts'

/** Each protocol has one row here, and a folder of its own. */
const rows: Readonly<Record<ConnectionKindName, Protocol>> = { saml: samlProtocol, oidc: oidcProtocol }

export const protocols: ReadonlyMap<string, Protocol> = new Map(Object.entries(rows))

/** @throws RangeError if no protocol has this kind, which only code of another version can have stored */
export const getProtocol = ({ kind }: Pick<ConnectionName, 'kind'>): Protocol => {
  const protocol = protocols.get(kind)
  if (!protocol) throw new RangeError('A connection has an unknown kind.')
  return protocol
}
