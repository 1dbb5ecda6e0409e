import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { parameterLimits } from '../parameter-limits.ts'

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
