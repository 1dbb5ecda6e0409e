import * as z from 'zod/mini'
import { listParameters } from './list-parameters.ts'

const Claim = z.object({
  essential: z.literal(true),
  value: z.optional(z.string()),
  values: z.optional(z.array(z.string())),
})

/** What counts of the parameter `claims` (OpenID Connect Core 5.5.1.1). */
const ClaimsRequest = z.object({ id_token: z.object({ acr: Claim }) })

/**
 * Reads an essential `acr` of the parameter `claims` as `acr_values`, so that there is one rule for both. ID tokens always state
 * `auth_time`, and other claims follow from scopes, so nothing else of it has an effect.
 */
export const applyClaimsRequest = ({
  claims,
  ...parameters
}: Readonly<Record<string, string>>): Record<string, string> => {
  const { data } = z.safeParse(ClaimsRequest, parseJson(claims ?? ''))
  const { value = '', values = [] } = data?.id_token.acr ?? {}
  return listParameters({
    ...parameters,
    acr_values: [value, ...values].join(' ').trim() || parameters['acr_values'],
  })
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
