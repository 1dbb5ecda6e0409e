import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { AuthorizationRequest } from '../../contract/models/oidc-flow.ts'
import { oidcParameterCharacters } from '../../core/limits.ts'

const { others, ...own } = oidcParameterCharacters
const limits: ReadonlyMap<string, number> = new Map(Object.entries(own))

/** Refuses parameters of an authorization that are too long. The client gets the error at its address. */
export const parameterLengths = Object.fromEntries(
  Object.keys(AuthorizationRequest.shape).map((name) => [
    name,
    (_ctx: KoaContextWithOIDC, value: string | undefined): void => {
      const most = limits.get(name) ?? others
      if (value !== undefined && value.length > most)
        throw new errors.InvalidRequest(`${name} is longer than ${most} characters`)
    },
  ]),
)
