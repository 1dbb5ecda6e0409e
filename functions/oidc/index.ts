import { oidc } from '../../lib/contract/operations/oidc.ts'
import { answerFromCache } from '../../lib/http/answer-from-cache.ts'
import { createHandler } from '../../lib/http/handler.ts'
import { createJwt } from './create-jwt.ts'
import { getJwks } from './get-jwks.ts'

export const handler = answerFromCache(createHandler(oidc, { getJwks, createJwt }))
