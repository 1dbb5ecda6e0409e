import { randomBytes } from 'node:crypto'
import type { Assertion } from '../../saml/assertion/reading.ts'
import { findClaims } from '../../store/directory/user-claims.ts'
import type { Table } from '../../store/engine/table.ts'
import { normalizeEmail, normalizeUsername, validateEmail, validateUsername } from '../common/names.ts'
import type { SamlProfile } from './profile.ts'

/** A name and an address that nobody has at this moment. */
export interface FreeNames {
  readonly username: string
  /** Null where there is none, or somebody has it: whose it is, is not for a provider to say. */
  readonly email: string | null
}

const longest = 255
const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

/**
 * What a user who comes from a provider is called here: as it says, or where somebody has that name, by the next free
 * one like it. Nobody's account is ever taken for that of another because of a name. One call to the table.
 */
export const findFreeNames = async (
  table: Table,
  { subject, identifier }: Assertion,
  profile: SamlProfile,
): Promise<FreeNames> => {
  const email = profile.email !== null && isUsableEmail(profile.email) ? profile.email : null
  const speaking = identifier?.value ?? (subject.nameIdFormat === persistent ? null : subject.nameId)
  const base = [profile.username, speaking, email].find((name) => name !== null && isUsable(name))
  const candidates = candidatesFor(base ?? 'user')
  const asked = candidates.map((username, at) => ({
    normalizedUsername: normalizeUsername(username),
    ...(at === 0 && email !== null ? { normalizedEmail: normalizeEmail(email) } : {}),
  }))
  const claims = await findClaims(table, asked)
  const free = candidates.find((_, at) => claims[at]?.username === undefined)
  return {
    username: free ?? withTail(base ?? 'user', randomBytes(6).toString('hex')),
    email: claims[0]?.email === undefined ? email : null,
  }
}

const isUsable = (name: string): boolean => name.length <= longest && validateUsername(name) === undefined

const isUsableEmail = (email: string): boolean =>
  email.length <= longest && validateEmail(email) === undefined

const candidatesFor = (base: string): readonly string[] => [
  base,
  ...Array.from({ length: 8 }, (_, at) => withTail(base, String(at + 2))),
  withTail(base, randomBytes(4).toString('hex')),
]

const withTail = (base: string, tail: string): string =>
  `${[...base].slice(0, longest - 16).join('')}-${tail}`
