import { validateEmail } from '../../accounts/names/names.ts'
import type { Verifier } from '../../accounts/users/user-fields.models.ts'
import { nameLength } from './profile.ts'
import type { ProvenIdentity } from './proven-identity.records.ts'
import { isPublic } from './public-connections.ts'
import type { Connection } from './records.ts'
import { isUsableAddress } from './usable-domains.ts'

/** Finds who vouches for the address that a provider sent. Undefined if nobody does yet. */
export const findVerifier = (
  provider: Connection,
  { isAddressProven }: ProvenIdentity,
  email: string,
): Verifier | undefined => {
  if (isPublic(provider)) return isAddressProven === true ? 'provider' : undefined
  return isUsableAddress(provider, email) ? 'company' : undefined
}

export const isUsableEmail = (email: string): boolean =>
  email.length <= nameLength && validateEmail(email) === undefined
