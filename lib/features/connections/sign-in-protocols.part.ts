import type { ConnectionKindName } from '../../kernel/contract/connection-kinds.ts'
import { oidcSignIn } from './oidc/sign-in.part.ts'
import type { ConnectionName } from './records.ts'
import { samlSignIn } from './saml/sign-in.part.ts'
import type { SignInProtocol } from './sign-in-protocol.ts'

/** What each protocol does in a sign-in. Apart from `protocols.ts`, because only the function of sign-ins loads it. */
const rows: Readonly<Record<ConnectionKindName, SignInProtocol>> = { saml: samlSignIn, oidc: oidcSignIn }

const signInProtocols: ReadonlyMap<string, SignInProtocol> = new Map(Object.entries(rows))

/** @throws RangeError if no protocol has this kind, which only code of another version can have stored */
export const getSignInProtocol = ({ kind }: Pick<ConnectionName, 'kind'>): SignInProtocol => {
  const protocol = signInProtocols.get(kind)
  if (!protocol) throw new RangeError('A connection has an unknown kind.')
  return protocol
}
