import type { SignInProtocol } from '../sign-in-protocol.ts'
import type { OidcAnswer } from './check-answer.ts'
import { type OidcConnection, oidcKind } from './records.ts'

/** The sign-in over OpenID Connect. Each part is loaded on demand, because a sign-in through another connection needs none of it. */
export const oidcSignIn: SignInProtocol<OidcConnection, OidcAnswer> = {
  stored: oidcKind,
  start: async (...start) => {
    const { startOidcSignIn } = await import('./start-sign-in.ts')
    return startOidcSignIn(...start)
  },
  nameFlow: ({ state }) => state,
  explainUnsolicited: () =>
    'The sign-in did not start at this service, or started too long ago. Start it here.',
  check: async ({ services, provider }, received) => {
    const { checkAnswer } = await import('./check-answer.ts')
    return { identity: await checkAnswer(services, provider, received) }
  },
  diagnose: async (...test) => {
    const { diagnoseAnswer } = await import('./diagnose-answer.ts')
    return diagnoseAnswer(...test)
  },
}
