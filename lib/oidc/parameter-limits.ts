import { AuthorizationRequest } from '../contract/models/oidc-flow.ts'
import { oidcParameterCharacters } from '../limits/limits.ts'

const { others, ...own } = oidcParameterCharacters
const limits: ReadonlyMap<string, number> = new Map(Object.entries(own))

/** The characters that each parameter of an authorization may have. */
export const parameterLimits: ReadonlyMap<string, number> = new Map(
  Object.keys(AuthorizationRequest.shape).map((name) => [name, limits.get(name) ?? others]),
)
