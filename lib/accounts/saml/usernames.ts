import { randomBytes } from 'node:crypto'
import type { Assertion } from '../../saml/assertion/read-assertion.ts'
import type { Services } from '../../services.ts'
import type { Config } from '../../settings/config.ts'
import { findClaims } from '../../store/directory/user-claims.ts'
import { buildSkeletonField } from '../common/lookalikes.ts'
import { normalizeEmail, normalizeUsername, validateEmail, validateUsername } from '../common/names.ts'
import { hasMixedScripts } from '../common/scripts.ts'
import type { SamlProfile } from './profile.ts'

/** A username and an email address that no user has. */
export interface FreeNames {
  readonly username: string
  readonly normalizedSkeleton: string | undefined
  /** Null without a usable address, or when another user has it. A provider cannot claim an address. */
  readonly email: string | null
}

const nameLength = 255
const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

/**
 * Chooses the username of a new user from a provider, in one table call: the asserted name, or the next free variant of
 * it. A name never gives access to the account of another user.
 */
export const findFreeNames = async (
  { table, config }: Services,
  { subject, identifier }: Assertion,
  profile: SamlProfile,
): Promise<FreeNames> => {
  const email = profile.email !== null && isUsableEmail(profile.email) ? profile.email : null
  const readableName = identifier?.value ?? (subject.nameIdFormat === persistent ? null : subject.nameId)
  const base = [profile.username, readableName, email].find((name) => name !== null && isUsable(config, name))
  const candidates = listCandidates(base ?? 'user')
  // A username must not be the address of another user, and an address must not be their username.
  const looks = await Promise.all(candidates.map((name) => buildSkeletonField(config, name)))
  const names = [...candidates, ...(email === null ? [] : [email])].map((name, at) => ({
    normalizedUsername: normalizeUsername(name),
    normalizedEmail: normalizeEmail(name),
    // The looks of the address do not matter.
    ...looks[at],
  }))
  const claims = await findClaims(table, names)
  const isFree = (at: number) => Object.values(claims[at] ?? {}).every((claim) => claim === undefined)
  const free = candidates.find((_, at) => isFree(at))
  const username = free ?? addSuffix(base ?? 'user', randomBytes(6).toString('hex'))
  return {
    username,
    ...(await buildSkeletonField(config, username)),
    email: email !== null && isFree(candidates.length) ? email : null,
  }
}

const isUsable = ({ allowMixedScripts }: Config, name: string): boolean =>
  name.length <= nameLength &&
  validateUsername(name) === undefined &&
  (allowMixedScripts || !hasMixedScripts(name))

const isUsableEmail = (email: string): boolean =>
  email.length <= nameLength && validateEmail(email) === undefined

const listCandidates = (base: string): readonly string[] => [
  base,
  ...Array.from({ length: 8 }, (_, at) => addSuffix(base, String(at + 2))),
  addSuffix(base, randomBytes(4).toString('hex')),
]

const addSuffix = (base: string, suffix: string): string =>
  `${[...base].slice(0, nameLength - 16).join('')}-${suffix}`
