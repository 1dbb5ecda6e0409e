import * as z from 'zod/mini'
import { normalizeEmail, normalizeUsername } from '../../accounts/names/names.ts'
import type { AttributeChange } from '../../accounts/users/attributes.models.ts'
import type { UserAttribute } from '../../accounts/users/attributes.records.ts'
import type { ExternalId } from '../../accounts/users/users.models.ts'
import { noAttributes } from '../../kernel/contract/stored-attributes.ts'
import { AppError, type FieldError } from '../../kernel/errors/errors.ts'
import { limitFieldErrors, toFieldErrors } from '../../kernel/errors/field-error.ts'
import { validatePasswordHash } from '../../kernel/secrets/password-hashes.ts'
import { isOtherRecoveryCode } from '../../kernel/secrets/recovery-codes.ts'
import { readTotpKey, totpKeyError } from '../../kernel/secrets/totp.ts'
import type { Config } from '../../kernel/settings/config.ts'
import { day } from '../../kernel/util/time.ts'
import { userClientFields } from '../../published-clients/stored-fields.ts'
import type { PublicIdentity } from '../connections/imported-identities.records.ts'
import { applyChanges, type ChangedAttributes } from '../directory/attributes/attributes.ts'
import { buildSkeletonField } from '../directory/names/lookalikes.ts'
import { validateNewUsername, validateUser } from '../directory/names/user-validation.ts'
import type { ImportedUser } from '../directory/users/import-user.ts'
import type { GroupFinder } from './group-finder.ts'
import { validateIdentities } from './identity-lines.ts'
import type { Entry } from './import-file.ts'
import { validatePasskeys } from './passkey-lines.ts'
import { lineFields, UserLine } from './user-line.ts'

/** The user of a line, with the ID that they get. */
export interface UserToWrite {
  readonly line: ValidatedLine
  readonly user: ImportedUser
  readonly id: number
}

/** A line after the checks that need no other line and no stored user. */
export interface ValidatedLine {
  readonly line: number
  readonly errors: readonly FieldError[]
  /** The normalized username and email address, if they are valid. Other fields may be invalid. */
  readonly normalizedUsername?: string | undefined
  readonly normalizedEmail?: string | undefined
  /** The looks of the username, if it is valid and no other may look like it. */
  readonly normalizedSkeleton?: string | undefined
  readonly externalId?: ExternalId | undefined
  /** The accounts at public providers, if all of them are valid. */
  readonly identities: readonly PublicIdentity[]
  /** Undefined when the line has errors. */
  readonly user?: UserLine | undefined
  readonly groups: readonly number[]
  /** What the record of the user has as its attributes. */
  readonly attributes: string
}

/** What lines are compared with. */
export interface LineRules {
  readonly groupFinder: GroupFinder
  readonly config: Pick<Config, 'allowMixedScripts' | 'allowLookalikeUsernames'>
  readonly definitions: readonly UserAttribute[]
}

/** Checks a line. The errors never quote its content, which may be secret. */
export const validateLine = async (
  entry: Entry,
  { groupFinder, config, definitions }: LineRules,
): Promise<ValidatedLine> => {
  const { line, fields } = entry
  if (!fields)
    return {
      line,
      errors: limitFieldErrors(entry.errors),
      groups: [],
      identities: [],
      attributes: noAttributes,
    }
  const parsed = z.safeParse(UserLine, fields)
  const valid = selectValidFields(fields, parsed.error)
  const groups = await groupFinder.findIds(valid.groups ?? [])
  const attributes = readAttributes(definitions, valid)
  const errors = [
    ...entry.errors,
    ...(parsed.error ? toFieldErrors(parsed.error, fields, 'line').filter(isAbsentFrom(entry.errors)) : []),
    ...groups.errors,
    ...(await validateUser({ ...valid, groups: groups.ids }, groupFinder.findExisting)),
    ...(valid.username === undefined
      ? []
      : validateNewUsername(config, valid.username, {
          normalizedEmail: valid.email ? normalizeEmail(valid.email) : null,
          // An administrator vouches for the name. If someone else proves the address, the name gives way: see `name-transfer.records.ts`.
          isVerified: true,
        })),
    ...validateImported(valid),
    ...(await validatePasskeys(valid.passkeys ?? [])),
    ...validateIdentities(valid.public_identities ?? []),
    ...validateSize(groups.ids, valid),
    ...attributes.errors,
  ]
  const isValid = (field: string) => !errors.some((error) => error.field === field)
  const username = valid.username && isValid('username') ? valid.username : undefined
  return {
    line,
    errors: limitFieldErrors(errors),
    normalizedUsername: username && normalizeUsername(username),
    ...(username && (await buildSkeletonField(config, username))),
    normalizedEmail: valid.email && isValid('email') ? normalizeEmail(valid.email) : undefined,
    externalId: valid.external_id && isValid('external_id') ? valid.external_id : undefined,
    identities: errors.some(({ field }) => field.startsWith('public_identities'))
      ? []
      : (valid.public_identities ?? []),
    user: errors.length === 0 ? parsed.data : undefined,
    groups: groups.ids,
    attributes: attributes.stored,
  }
}

const isAbsentFrom =
  (known: readonly FieldError[]) =>
  ({ field }: FieldError): boolean =>
    !known.some((error) => error.field === field)

/** The fields that have the right form. They are checked further, so that the report has all errors of a line. */
const selectValidFields = (
  fields: Readonly<Record<string, unknown>>,
  error: z.core.$ZodError | undefined,
): Partial<UserLine> => {
  const invalid = new Set(error?.issues.map(({ path }) => String(path[0])))
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => lineFields.includes(name) && !invalid.has(name)),
  )
}

/** A line can be longer than the body of a request, so its values may not fit into a record. */
const readAttributes = (
  definitions: readonly UserAttribute[],
  valid: Partial<UserLine>,
): ChangedAttributes => {
  try {
    const stored = userClientFields.write(valid)
    return applyChanges(definitions, stored, convertAttributes(definitions, valid.attributes), 'manager')
  } catch (error) {
    if (error instanceof AppError) return { stored: noAttributes, errors: error.details.errors ?? [] }
    throw error
  }
}

/** Checks what only an import can set. */
const validateImported = ({
  password_hash,
  password_check,
  totp_seed,
  recovery_codes = [],
  created_at,
}: Partial<UserLine>): FieldError[] => {
  const hashError = password_hash ? validatePasswordHash(password_hash) : undefined
  return [
    ...(hashError ? [{ field: 'password_hash', message: hashError }] : []),
    ...(password_hash && password_check
      ? [{ field: 'password_check', message: 'must be left out if there is a password_hash' }]
      : []),
    ...(totp_seed && !readTotpKey(totp_seed) ? [{ field: 'totp_seed', message: totpKeyError }] : []),
    ...(recovery_codes.length > 0 && !totp_seed
      ? [{ field: 'recovery_codes', message: 'need a totp_seed' }]
      : []),
    ...recovery_codes.flatMap((code, at) =>
      isOtherRecoveryCode(code)
        ? []
        : [{ field: `recovery_codes.${at}`, message: 'must have 8 to 64 letters (a-z) and digits' }],
    ),
    ...(created_at && Date.parse(created_at) > Date.now() + day
      ? [{ field: 'created_at', message: 'must not be in the future' }]
      : []),
  ]
}

/** The steps of a user without groups, passkeys and identities, and those of each. An attribute has one at most. */
const stepsFor = { user: 16, group: 3, credential: 2, transaction: 100 } as const
const groupsAtFirst = 25

/** Whether one transaction can create the user, with as many groups as it would add. */
const validateSize = (
  groups: readonly number[],
  { passkeys = [], public_identities = [], attributes = [] }: Partial<UserLine>,
): FieldError[] => {
  const credentials = passkeys.length + public_identities.length
  if (credentials === 0) return []
  const steps =
    stepsFor.user +
    attributes.length +
    stepsFor.group * Math.min(groups.length, groupsAtFirst) +
    stepsFor.credential * credentials
  return steps <= stepsFor.transaction
    ? []
    : [
        {
          field: 'groups',
          message: `must be fewer for a user with ${credentials} passkeys and accounts at providers`,
        },
      ]
}

/**
 * Gives the attributes of a line the types of their definitions. Files and other systems often have texts alone, or a list of
 * one text. What cannot be converted stays, so that its line is refused with the reason.
 */
const convertAttributes = (
  definitions: readonly UserAttribute[],
  given: readonly AttributeChange[] = [],
): readonly AttributeChange[] => {
  const types = new Map(definitions.map(({ name, type }) => [name, type]))
  return given.map(({ name, value }) => ({ name, value: convert(types.get(name), value) }))
}

const convert = (
  type: UserAttribute['type'] | undefined,
  given: AttributeChange['value'],
): AttributeChange['value'] => {
  if (type === 'texts')
    return typeof given === 'string'
      ? given
          .split(';')
          .map((part) => part.trim())
          .filter((part) => part !== '')
      : given
  const [first, ...more] = Array.isArray(given) ? given : []
  const value = first !== undefined && more.length === 0 ? first : given
  if (type === 'text') return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  if (typeof value !== 'string') return value
  if (type === 'number') return /^-?\d{1,15}(\.\d{1,15})?$/.test(value.trim()) ? Number(value) : value
  if (type !== 'boolean') return value
  const text = value.trim().toLowerCase()
  return text === 'true' || text === 'false' ? text === 'true' : value
}
