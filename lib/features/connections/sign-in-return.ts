import type { SessionPrincipal } from '../../accounts/callers/principal.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import type { Services } from '../../services.ts'

/** Adds to the address of a product what tells it who signed in. `lib/features/sign-in-returns.ts` lists the features that do it. */
export type SignInReturn = (
  services: Services,
  principal: SessionPrincipal,
  context: RequestContext,
  target: URL,
) => Promise<string>
