import * as z from 'zod/mini'
import { createSource, readDocument, requireList } from './document.ts'
import {
  isRecord,
  joinNames,
  listRest,
  maybeFlag,
  maybeText,
  maybeTime,
  readEmail,
  readRecord,
  readTime,
  type Source,
  type SourceRecord,
  toBase32,
} from './source.ts'

/*
 * The JSON of `manage.py dumpdata`: a list of records of all models. django-allauth and django-otp keep verified addresses
 * and authenticator keys in models of their own.
 */

const reference = z.union([z.int(), z.string(), z.array(z.string())])
const User = z.object({
  username: maybeText,
  email: maybeText,
  password: maybeText,
  first_name: maybeText,
  last_name: maybeText,
  is_active: maybeFlag,
  date_joined: maybeTime,
  groups: z.optional(z.array(reference)),
})
const PrimaryKey = z.optional(z.nullable(z.union([z.int(), z.string()])))
const Address = z.object({ user: reference, email: z.string(), verified: z.boolean() })
type Address = z.output<typeof Address>
const Device = z.object({
  user: reference,
  key: z.string().check(z.regex(/^(?:[\da-f]{2})+$/i)),
  step: z.literal(30),
  t0: z.literal(0),
  digits: z.literal(6),
  confirmed: z.literal(true),
})
type Device = z.output<typeof Device>
const StaticDevice = z.object({ user: reference, confirmed: z.literal(true) })
const StaticToken = z.object({ device: reference, token: z.string() })

export interface DjangoOptions {
  /** The model of users, such as `auth.user`. */
  readonly model: string
  /** Whether addresses count as verified, of which the export does not say it. */
  readonly trustsEmails: boolean
}

/** @throws CommandFailure if the file is not an export of Django. */
export const openDjango = async (file: string, { model, trustsEmails }: DjangoOptions): Promise<Source> => {
  const records = requireList(await readDocument(file), 'This is not the JSON of manage.py dumpdata: a list.')
  const isUser = (record: unknown) => isRecord(record) && isModel(record, model)
  const related = readRelated(records, new Set(records.filter(isUser).flatMap(listKeys)))
  return createSource(records, (line, record) => {
    if (!isRecord(record) || typeof record['model'] !== 'string')
      return { line, errors: [{ field: 'line', message: 'must be a record with a model and fields' }] }
    if (!isModel(record, model)) return readOther(line, record, related)
    const { data: pk, success } = PrimaryKey.safeParse(record['pk'])
    if (!success) return { line, errors: [{ field: 'pk', message: 'must be a number or a text' }] }
    return readRecord(line, record['fields'], User, (user) => {
      const { username, email, password, first_name, last_name, is_active, date_joined, groups = [] } = user
      const names = groups.map((group) =>
        Array.isArray(group) ? group[0] : related.groups.get(String(group)),
      )
      if (names.includes(undefined)) return { errors: [unknownGroup] }
      const keys = listKeys(record)
      const addresses = keys.flatMap((key) => related.addresses.get(key) ?? [])
      const isSame = (address: Address) => address.email.toLowerCase() === email?.toLowerCase()
      const isVerified = addresses.some((address) => isSame(address) && address.verified)
      const devices = keys.flatMap((key) => related.devices.get(key) ?? [])
      const codes = devices[0] ? keys.flatMap((key) => related.codes.get(key) ?? []) : []
      return {
        fields: {
          username: username || email || '',
          ...readEmail(email, { isVerified: isVerified || trustsEmails }),
          full_name: joinNames(first_name, last_name),
          // A password that cannot be used begins with an exclamation mark.
          password_hash: password && !password.startsWith('!') ? password : undefined,
          totp_seed: devices[0] && toBase32(Buffer.from(devices[0].key, 'hex')),
          ...(codes.length > 0 ? { recovery_codes: codes } : {}),
          is_enabled: is_active !== false,
          created_at: readTime(date_joined),
          groups: names.filter((name) => name !== undefined),
        },
        // Without --natural-primary, records have a primary key.
        id: String(pk ?? username ?? email ?? ''),
        left: [
          ...(devices.length > 1 ? ['further authenticator apps'] : []),
          ...(addresses.every(isSame) ? [] : ['further email addresses']),
        ],
      }
    })
  })
}

const unknownGroup = {
  field: 'groups',
  message: 'contains a group that the file does not have. Add auth.group to dumpdata',
}

/** What the records of other models say about users, by the keys of the users. */
interface Related {
  /** The keys of all users of the file. */
  readonly users: ReadonlySet<string>
  readonly groups: Map<string, string>
  readonly addresses: Map<string, Address[]>
  readonly devices: Map<string, Device[]>
  /** The users of lists of recovery codes, by the keys of the lists. */
  readonly codeLists: Map<string, string>
  readonly codes: Map<string, string[]>
}

const readRelated = (records: readonly unknown[], users: ReadonlySet<string>): Related => {
  const related: Related = {
    users,
    groups: new Map(),
    addresses: new Map(),
    devices: new Map(),
    codeLists: new Map(),
    codes: new Map(),
  }
  for (const record of records) {
    if (!isRecord(record) || !isRecord(record['fields'])) continue
    const name = record['fields']['name']
    const [address, device] = [readAddress(record), readDevice(record)]
    if (record['model'] === 'auth.group' && typeof name === 'string')
      related.groups.set(String(record['pk']), name)
    if (address) append(related.addresses, keyOf(address.user), address)
    if (device) append(related.devices, keyOf(device.user), device)
    const list = readCodeList(record)
    if (list) related.codeLists.set(String(record['pk']), keyOf(list.user))
  }
  // A list can come after its codes.
  for (const record of records) {
    const code = isRecord(record) ? readCode(record) : undefined
    const user = code && related.codeLists.get(String(code.device))
    if (code && user) append(related.codes, user, code.token)
  }
  return related
}

const append = <Value>(lists: Map<string, Value[]>, key: string, value: Value): void => {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** A reference is a primary key, or a list with the natural key. A user can have the primary key of another as their name. */
const keyOf = (user: unknown): string => (Array.isArray(user) ? `name ${user[0]}` : `pk ${user}`)

/** The keys by which other records name a user. */
const listKeys = (record: unknown): readonly string[] => {
  const { pk, fields } = isRecord(record) ? record : {}
  return [keyOf(pk), keyOf([isRecord(fields) ? fields['username'] : undefined])]
}

type ModelRecord = Readonly<Record<string, unknown>>

const isModel = (record: ModelRecord, model: string): boolean =>
  typeof record['model'] === 'string' && record['model'].toLowerCase() === model.toLowerCase()

const readAddress = (record: ModelRecord): Address | undefined =>
  record['model'] === 'account.emailaddress' ? Address.safeParse(record['fields']).data : undefined

const readDevice = (record: ModelRecord): Device | undefined =>
  record['model'] === 'otp_totp.totpdevice' ? Device.safeParse(record['fields']).data : undefined

const readCodeList = (record: ModelRecord) =>
  record['model'] === 'otp_static.staticdevice' ? StaticDevice.safeParse(record['fields']).data : undefined

const keyOfList = (record: ModelRecord): string | undefined => {
  const list = readCodeList(record)
  return list && keyOf(list.user)
}

const readCode = (record: ModelRecord) =>
  record['model'] === 'otp_static.statictoken' ? StaticToken.safeParse(record['fields']).data : undefined

/** Records whose content goes into the lines of users are not left behind. */
const readOther = (line: number, record: ModelRecord, related: Related): SourceRecord => {
  const { users, devices, codeLists } = related
  const fields = record['fields']
  const part = readAddress(record) ?? readDevice(record)
  if (part && users.has(keyOf(part.user))) return { line }
  const code = readCode(record)
  const owner = code ? codeLists.get(String(code.device)) : keyOfList(record)
  // Codes replace one of an authenticator app, so they need one.
  if (owner !== undefined && users.has(owner) && devices.has(owner)) return { line }
  if (record['model'] !== 'auth.group') return { line, skipped: `records of ${record['model']}` }
  const isMoved = !isRecord(fields) || listRest(fields, ['name']).length === 0
  return isMoved ? { line } : { line, skipped: 'groups with permissions, which are moved without them' }
}
