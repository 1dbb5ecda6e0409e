import type { SessionPrincipal } from '../accounts/common/principal.ts'
import type { Interaction } from './interactions.ts'

/** Whether a session proves what an authorization asks for. */
export const isProofEnough = (
  { needsNewProof, createdAt }: Pick<Interaction, 'needsNewProof' | 'createdAt'>,
  principal: SessionPrincipal,
): boolean => !needsNewProof || principal.session.authentication.at >= createdAt
