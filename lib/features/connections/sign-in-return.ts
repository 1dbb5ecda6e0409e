import type { Services } from '../../services.ts'
import type { SessionPrincipal } from '../access/principal.ts'
import type { RequestContext } from '../access/request-context.ts'

/** Adds to the address of a product what tells it who signed in. `lib/features/sign-in-returns.ts` lists the features that do it. */
export type SignInReturn = (
  services: Services,
  principal: SessionPrincipal,
  context: RequestContext,
  target: URL,
) => Promise<string>
