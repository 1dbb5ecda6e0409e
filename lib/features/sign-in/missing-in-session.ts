import type { SessionPrincipal } from '../../accounts/callers/principal.ts'
import type { Services } from '../../services.ts'
import { findMissingProofs, type MissingProof } from './missing-proofs.ts'
import { findSignInPolicy } from './policy.records.ts'
import { readProofRules } from './proof-rules.ts'

/**
 * Lists what the latest proof in a session lacks now. An administrator who impersonates someone proved who they are themselves. No
 * password is looked up: that happens when it is used.
 */
export const findMissingInSession = async (
  services: Services,
  { user, actor, session }: Pick<SessionPrincipal, 'user' | 'actor' | 'session'>,
): Promise<readonly MissingProof[]> => {
  const owner = actor ?? user
  const { authentication: proof, organizationProofs = [] } = session
  const policy = await findSignInPolicy(services.table)
  const rules = await readProofRules(services, { user: owner, policy }, proof)
  const isProven = (id: number): boolean => organizationProofs.some(({ connection }) => connection === id)
  return findMissingProofs(rules, proof).filter(
    (one) => one.kind !== 'required_connection' || !isProven(one.connection.id),
  )
}
