import { errors } from 'oidc-provider'
import { oidcInteractionMs } from '../../core/limits.ts'
import { completeOidcInteraction, storeOidcInteraction } from '../../store/oidc/interactions.ts'
import { type ModelAdapter, toStoredPayload } from './adapter-types.ts'
import { getRun } from './run.ts'
import { buildInteractionResult } from './sessions.ts'

/** Reasons for which the user has to prove their identity again, also if they are signed in. */
const reasonsForNewProof = ['login_prompt', 'max_age']

/** Authorizations that wait for a sign-in. They belong to a browser instead of a session, because a sign-in makes a new session. */
export const interactions: ModelAdapter = {
  upsert: async (uid, payload) => {
    const { services, browser } = getRun()
    if (browser === undefined) throw new Error('An interaction needs the cookie of its browser.')
    const { jti: _, session: __, ...stored } = toStoredPayload(payload)
    const createdAt = services.now()
    const reasons = payload.prompt?.reasons ?? []
    await storeOidcInteraction(services.table, uid, {
      ...{ browser, payload: stored, createdAt, returns: 0 },
      needsNewProof: reasons.some((reason) => reasonsForNewProof.includes(reason)),
      expiresAt: createdAt + oidcInteractionMs,
    })
  },
  find: async (uid) => {
    const { interaction, principal } = getRun()
    if (interaction?.uid !== uid || !principal) return undefined
    return { ...interaction.record.payload, jti: uid, result: buildInteractionResult(interaction, principal) }
  },
  destroy: async (uid) => {
    if (!(await completeOidcInteraction(getRun().services.table, uid)))
      throw new errors.SessionNotFound('the authorization was already completed')
  },
}
