import type { SessionPrincipal } from '../accounts/common/principal.ts'
import type { SessionAuthentication } from '../store/records/session-record.ts'
import type { Interaction } from './interactions.ts'

/** How and when the user of a session last proved who they are. Sessions of earlier versions did not store it. */
export const getProof = ({ session }: SessionPrincipal): SessionAuthentication =>
  session.authentication ?? { at: session.createdAt, methods: [] }

/** Whether a session proves what an authorization asks for. */
export const isProofEnough = (
  { needsNewProof, createdAt }: Pick<Interaction, 'needsNewProof' | 'createdAt'>,
  principal: SessionPrincipal,
): boolean => !needsNewProof || getProof(principal).at >= createdAt
