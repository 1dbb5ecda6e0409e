import { oidcProtocol } from './oidc/protocol.ts'
import type { Protocol } from './protocol.ts'
import type { ConnectionName } from './records.ts'
import { samlProtocol } from './saml/protocol.ts'

/** Each protocol has one row here, and a folder of its own. */
const protocols: readonly Protocol[] = [samlProtocol, oidcProtocol]

/** @throws RangeError if no protocol has this kind, which only code of another version can have stored */
export const getProtocol = ({ kind }: Pick<ConnectionName, 'kind'>): Protocol => {
  const protocol = protocols.find(({ stored }) => stored.kind === kind)
  if (!protocol) throw new RangeError('A connection has an unknown kind.')
  return protocol
}
