import * as z from 'zod/mini'
import { normalizeEmail, normalizeUsername } from '../../lib/accounts/common/names.ts'
import { validateUser } from '../../lib/accounts/directory/user-validation.ts'
import { ServiceUserDetailUpdate } from '../../lib/contract/models/user-update.ts'
import type { FieldError } from '../../lib/core/errors.ts'
import { limitFieldErrors, toFieldErrors } from '../../lib/core/field-error.ts'
import { validatePasswordHash } from '../../lib/secrets/passwords.ts'
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
  readonly faults: readonly FieldError[]
  /** The name and the address as compared, where they are sound, whatever else is wrong. */
  readonly normalizedUsername?: string | undefined
  readonly normalizedEmail?: string | undefined
  /** There when nothing is wrong. */
  readonly user?: UserLine | undefined
  readonly groups: readonly number[]
}

/** Holds a line against every rule that needs no other line; a fault never quotes what the line holds. */
export const judgeLine = async (entry: Entry, groupFinder: GroupFinder): Promise<JudgedLine> => {
  const { line, fields } = entry
  if (!fields) return { line, faults: limitFieldErrors(entry.faults), groups: [] }
  const parsed = z.safeParse(UserLine, fields)
  const sound = soundPart(fields, parsed.error)
  const groups = await groupFinder.idsOf(sound.groups ?? [])
  const faults = [
    ...entry.faults,
    ...(parsed.error ? toFieldErrors(parsed.error, fields, 'line').filter(isNewsTo(entry.faults)) : []),
    ...groups.faults,
    ...(await validateUser({ ...sound, groups: groups.ids }, groupFinder.existing)),
    ...secretFaults(sound),
  ]
  const isSound = (field: string) => !faults.some((fault) => fault.field === field)
  return {
    line,
    faults: limitFieldErrors(faults),
    normalizedUsername: sound.username && isSound('username') ? normalizeUsername(sound.username) : undefined,
    normalizedEmail: sound.email && isSound('email') ? normalizeEmail(sound.email) : undefined,
    user: faults.length === 0 ? parsed.data : undefined,
    groups: groups.ids,
  }
}

const isNewsTo =
  (known: readonly FieldError[]) =>
  ({ field }: FieldError): boolean =>
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

const secretFaults = ({ password_hash, totp_seed }: Partial<UserLine>): FieldError[] => {
  const hashFault = password_hash ? validatePasswordHash(password_hash) : undefined
  return [
    ...(hashFault ? [{ field: 'password_hash', message: hashFault }] : []),
    ...(totp_seed && !readTotpKey(totp_seed)
      ? [{ field: 'totp_seed', message: 'must be base32 (A-Z, 2-7) of 80 to 512 bits' }]
      : []),
  ]
}
