import type { SessionPrincipal } from '../accounts/common/principal.ts'
import { isClassEnough } from '../accounts/sign-in/authentication-class.ts'
import type { Interaction } from './interactions.ts'

type Wanted = Pick<Interaction, 'needsNewProof' | 'createdAt' | 'lacksStrength' | 'parameters'>

/** Whether a session proves what an authorization asks for. */
export const isProofEnough = (
  { needsNewProof, createdAt, lacksStrength = false, parameters }: Wanted,
  { session: { authentication } }: SessionPrincipal,
): boolean =>
  !needsNewProof ||
  authentication.at >= createdAt ||
  (lacksStrength && isClassEnough(parameters['acr_values'] ?? '', authentication.methods))
