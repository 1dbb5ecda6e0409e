import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { AuthorizationRequest } from '../../contract/models/oidc-flow.ts'
import { oidcParameterCharacters } from '../../limits/limits.ts'

const { others, ...own } = oidcParameterCharacters
const limits: ReadonlyMap<string, number> = new Map(Object.entries(own))

/** The characters that each parameter of an authorization may have. */
const parameterLimits: ReadonlyMap<string, number> = new Map(
  Object.keys(AuthorizationRequest.shape).map((name) => [name, limits.get(name) ?? others]),
)

/** Refuses parameters of an authorization that are too long. The client gets the error at its address. */
export const parameterLengths = Object.fromEntries(
  [...parameterLimits].map(([name, most]) => [
    name,
    (_ctx: KoaContextWithOIDC, value: string | undefined): void => {
      if (value !== undefined && value.length > most)
        throw new errors.InvalidRequest(`${name} is longer than ${most} characters`)
    },
  ]),
)
