import * as z from 'zod/mini'
import { foldEmail, foldUsername } from '../../lib/accounts/common/names.ts'
import { userFaults } from '../../lib/accounts/directory/user-validation.ts'
import { ServiceUserDetailUpdate } from '../../lib/contract/models/user-update.ts'
import type { Fault } from '../../lib/core/errors.ts'
import { faultsOf, limited } from '../../lib/core/field-error.ts'
import { passwordHashFault } from '../../lib/secrets/passwords.ts'
import { readTotpKey } from '../../lib/secrets/totp.ts'
import type { Entry } from './entries.ts'
import type { GroupFinder } from './group-finder.ts'

const text = z.string()
const groupId = ServiceUserDetailUpdate.def.shape.groups.def.element

/** What a line holds: all that can be said when a user is added, and what it signs in with. */
export const UserLine = z.extend(ServiceUserDetailUpdate, {
  permissions: z.optional(ServiceUserDetailUpdate.def.shape.permissions),
  groups: z.optional(z.array(z.union([groupId, text], 'must be the id or the name of a group'))),
  password_hash: z.optional(z.nullable(text)),
  totp_seed: z.optional(z.nullable(text)),
})
export type UserLine = z.output<typeof UserLine>

export const lineFields: readonly string[] = Object.keys(UserLine.def.shape)

/** A line that was looked at by itself: whether it can be let in depends on who is there already. */
export interface JudgedLine {
  readonly line: number
  readonly faults: readonly Fault[]
  /** The name and the address as compared, where they are sound, whatever else is wrong. */
  readonly foldedUsername?: string | undefined
  readonly foldedEmail?: string | undefined
  /** There when nothing is wrong. */
  readonly user?: UserLine | undefined
  readonly groups: readonly number[]
}

/** Holds a line against every rule that needs no other line; a fault never quotes what the line holds. */
export const judgeLine = async (entry: Entry, groupFinder: GroupFinder): Promise<JudgedLine> => {
  const { line, fields } = entry
  if (!fields) return { line, faults: limited(entry.faults), groups: [] }
  const parsed = z.safeParse(UserLine, fields)
  const sound = soundPart(fields, parsed.error)
  const groups = await groupFinder.idsOf(sound.groups ?? [])
  const faults = [
    ...entry.faults,
    ...(parsed.error ? faultsOf(parsed.error, fields, 'line').filter(isNewsTo(entry.faults)) : []),
    ...groups.faults,
    ...(await userFaults({ ...sound, groups: groups.ids }, groupFinder.existing)),
    ...secretFaults(sound),
  ]
  const isSound = (field: string) => !faults.some((fault) => fault.field === field)
  return {
    line,
    faults: limited(faults),
    foldedUsername: sound.username && isSound('username') ? foldUsername(sound.username) : undefined,
    foldedEmail: sound.email && isSound('email') ? foldEmail(sound.email) : undefined,
    user: faults.length === 0 ? parsed.data : undefined,
    groups: groups.ids,
  }
}

const isNewsTo =
  (known: readonly Fault[]) =>
  ({ field }: Fault): boolean =>
    !known.some((fault) => fault.field === field)

/** The fields that are of their form, for the rules beyond it: a line is to be told all that is wrong at once. */
const soundPart = (
  fields: Readonly<Record<string, unknown>>,
  error: z.core.$ZodError | undefined,
): Partial<UserLine> => {
  const faulty = new Set(error?.issues.map(({ path }) => String(path[0])))
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => lineFields.includes(name) && !faulty.has(name)),
  )
}

const secretFaults = ({ password_hash, totp_seed }: Partial<UserLine>): Fault[] => {
  const hashFault = password_hash ? passwordHashFault(password_hash) : undefined
  return [
    ...(hashFault ? [{ field: 'password_hash', message: hashFault }] : []),
    ...(totp_seed && !readTotpKey(totp_seed)
      ? [{ field: 'totp_seed', message: 'must be base32 (A-Z, 2-7) of 80 to 512 bits' }]
      : []),
  ]
}
