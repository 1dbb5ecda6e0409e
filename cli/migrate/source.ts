import * as z from 'zod/mini'
import type { UserLine } from '../../lib/features/user-files/user-line.ts'
import type { FieldError } from '../../lib/kernel/errors/errors.ts'
import { toFieldErrors } from '../../lib/kernel/errors/field-error.ts'
import type { Input } from '../input.ts'

/** What a reader makes of one record of an export. */
export interface SourceRecord {
  /** The place of the record in the file, from 1. */
  readonly line: number
  /** The line for the import. Undefined if the record is refused or is no user. */
  readonly fields?: SourceFields | Readonly<Record<string, unknown>> | undefined
  readonly errors?: readonly FieldError[]
  /** The ID of the user in the other system. */
  readonly id?: string | undefined
  /** What the record is, if it is no user. */
  readonly skipped?: string
  /** What the record has and the import cannot take. */
  readonly left?: readonly string[]
  /** Further values of the user. The import takes those that the service defines as attributes. */
  readonly attributes?: Readonly<Record<string, unknown>> | undefined
}

/**
 * The fields that a migration can set. Permissions are never among them: what gives rights in another system must not give
 * rights here.
 */
export type SourceFields = Partial<
  Omit<UserLine, 'permissions' | 'groups' | 'external_id' | 'attributes'>
> & {
  readonly groups?: readonly string[]
}

/** An export that can be read several times. */
export interface Source {
  readonly records: () => AsyncIterable<SourceRecord>
  /** The size of the whole, for the progress: records, or bytes. */
  readonly size: number
  /** How much of it has been read so far. */
  readonly getPosition: (line: number) => number
}

/** What a reader makes of a record after the checks of its schema. */
export interface Converted extends Omit<SourceRecord, 'line'> {
  readonly fields?: SourceFields
}

type Shape = Readonly<Record<string, z.core.$ZodType>>

/** Reads the record of one user. Fields that the schema does not name are reported as left behind. */
export const readRecord = <Fields extends Shape>(
  line: number,
  record: unknown,
  schema: z.ZodMiniObject<Fields>,
  convert: (user: z.output<z.ZodMiniObject<Fields>>) => Converted,
): SourceRecord => {
  if (!isRecord(record)) return refuse(line, 'line', 'must be an object with the fields of a user')
  // No export has it, and a program that copies fields could take it for the type of the record.
  if (Object.hasOwn(record, '__proto__')) return refuse(line, '__proto__', 'is not recognized')
  const parsed = z.safeParse(schema, record)
  if (!parsed.success) return { line, errors: toFieldErrors(parsed.error, record, 'line') }
  const converted = convert(parsed.data)
  if (converted.skipped !== undefined) return { line, skipped: converted.skipped }
  const known = Object.keys(schema.def.shape)
  return { line, ...converted, left: [...(converted.left ?? []), ...listRest(record, known)] }
}

const refuse = (line: number, field: string, message: string): SourceRecord => ({
  line,
  errors: [{ field, message }],
})

/** The fields of a record that have a value and that no reader knows. */
export const listRest = (record: object, known: readonly string[]): readonly string[] =>
  Object.entries(record).flatMap(([name, value]) => (known.includes(name) || isEmpty(value) ? [] : [name]))

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === false ||
  value === 0 ||
  (typeof value === 'object' && Object.keys(value).length === 0)

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An optional text of an export, which may be null. */
export const maybeText = z.optional(z.nullable(z.string()))
export const maybeFlag = z.optional(z.nullable(z.boolean()))

/** The text, or undefined if there is none. */
export const given = (text: string | null | undefined): string | undefined => text || undefined

/** A time of an export: a text, or seconds or milliseconds since 1970. */
export const maybeTime = z.optional(z.nullable(z.union([z.string(), z.number()])))

/** The time in the form of the import. A text that is no time stays, so that its line is refused with the reason. */
export const readTime = (time: z.output<typeof maybeTime>): string | undefined => {
  if (time === null || time === undefined || time === '') return undefined
  const number = Number(time)
  // Seconds since 1970 have ten digits until the year 2286.
  const date = new Date(Number.isNaN(number) ? time : number * (Math.abs(number) < 1e11 ? 1000 : 1))
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString()
}

/** The address with the fact whether its owner proved it. Without an address, neither field. */
export const readEmail = (
  email: string | null | undefined,
  { isVerified }: { readonly isVerified: boolean },
): Pick<SourceFields, 'email' | 'email_verified'> => {
  const address = email?.trim()
  return address ? { email: address, email_verified: isVerified } : {}
}

export const joinNames = (...names: readonly (string | null | undefined)[]): string | undefined =>
  given(
    names
      .map((name) => name?.trim())
      .filter(Boolean)
      .join(' '),
  )

/** Base64 in either alphabet, as base64url without padding. */
export const toBase64Url = (text: string): string => Buffer.from(text, 'base64').toString('base64url')

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Writes the bytes of an authenticator key in the form of the import. */
export const toBase32 = (bytes: Buffer): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((part) => base32[Number.parseInt(part.padEnd(5, '0'), 2)]).join('')
}

/** A source that reads a file anew each time, without holding it in memory. */
export const createFileSource = async (
  open: () => Promise<Input>,
  read: (chunks: AsyncIterable<Buffer>) => AsyncIterable<SourceRecord>,
): Promise<Source> => {
  const { sizeBytes, close } = await open()
  await close()
  let input: Input | undefined
  return {
    records: async function* () {
      input = await open()
      try {
        yield* read(input.chunks())
      } finally {
        await input.close()
      }
    },
    size: sizeBytes,
    getPosition: () => input?.readBytes() ?? 0,
  }
}
