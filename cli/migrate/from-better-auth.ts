import * as z from 'zod/mini'
import { createSource, readDocument, requireList } from './document.ts'
import { readIdentities } from './social-identities.ts'
import {
  type Converted,
  isRecord,
  joinNames,
  maybeText,
  maybeTime,
  readEmail,
  readRecord,
  readTime,
  type Source,
  toBase64Url,
} from './source.ts'

/* An object with the rows of each table of Better Auth: `{"user": […], "account": […]}`. */

/** Databases without this type store 0 and 1. */
const storedFlag = z.optional(z.nullable(z.union([z.boolean(), z.literal([0, 1])])))
const id = z.union([z.string(), z.int()])
const User = z.object({
  id,
  name: maybeText,
  email: maybeText,
  emailVerified: storedFlag,
  username: maybeText,
  displayUsername: maybeText,
  banned: storedFlag,
  createdAt: maybeTime,
  // It follows from the other tables.
  twoFactorEnabled: z.optional(z.unknown()),
})
const Account = z.object({ userId: id, providerId: z.string(), accountId: maybeText, password: maybeText })
type Account = z.output<typeof Account>

const Passkey = z.object({
  userId: id,
  publicKey: z.string(),
  credentialID: z.string(),
  counter: z.optional(z.int()),
  deviceType: maybeText,
  transports: maybeText,
  name: maybeText,
  aaguid: maybeText,
  createdAt: maybeTime,
})
type Passkey = z.output<typeof Passkey>

const notTables = 'This is not an object with the rows of the tables user and account, as lists.'

/** @throws CommandFailure if the file does not have both tables. */
export const openBetterAuth = async (file: string, takesPasskeys: boolean): Promise<Source> => {
  const document = await readDocument(file)
  const tables = new Map(isRecord(document) ? Object.entries(document) : [])
  const users = requireList(tables.get('user'), notTables)
  const ids = new Set(users.map((user) => (isRecord(user) ? String(user['id']) : undefined)))
  const accounts = groupRows(requireList(tables.get('account'), notTables), Account, ids)
  const rows = takesPasskeys ? tables.get('passkey') : undefined
  const passkeys = groupRows(Array.isArray(rows) ? rows : [], Passkey, ids)
  const unused = [['account', accounts.unused] as const, ['passkey', passkeys.unused] as const]
  const isRead = (given: unknown) => [users, tables.get('account'), rows].includes(given as unknown[])
  const others = [...tables, ...unused].flatMap(([name, rows]) =>
    !Array.isArray(rows) || isRead(rows) ? [] : rows.map(() => `rows of ${name}`),
  )
  // Rows of other tables come after all users, so that the line of a user is the place in their table.
  return createSource([...users, ...others], (line, record) =>
    line > users.length
      ? { line, skipped: String(record) }
      : readRecord(line, record, User, (user) =>
          convertUser(
            user,
            accounts.byUser.get(String(user.id)) ?? [],
            passkeys.byUser.get(String(user.id)) ?? [],
          ),
        ),
  )
}

interface GroupedRows<Row> {
  readonly byUser: ReadonlyMap<string, readonly Row[]>
  /** Rows that belong to none of the users. */
  readonly unused: readonly unknown[]
}

/** The rows of a table by the IDs of their users. */
const groupRows = <Row extends { readonly userId: string | number }>(
  rows: readonly unknown[],
  schema: z.ZodMiniType<Row>,
  ids: ReadonlySet<string | undefined>,
): GroupedRows<Row> => {
  const byUser = new Map<string, Row[]>()
  const unused: unknown[] = []
  for (const given of rows) {
    const row = schema.safeParse(given).data
    const list = row && byUser.get(String(row.userId))
    if (!row || !ids.has(String(row.userId))) unused.push(given)
    else if (list) list.push(row)
    else byUser.set(String(row.userId), [row])
  }
  return { byUser, unused }
}

const toPasskeyLine = (passkey: Passkey) => ({
  credential_id: toBase64Url(passkey.credentialID),
  public_key: toBase64Url(passkey.publicKey),
  sign_count: passkey.counter ?? 0,
  transports: (passkey.transports ?? '').split(',').filter(Boolean),
  ...(passkey.deviceType ? { backup_eligible: passkey.deviceType === 'multiDevice' } : {}),
  ...(passkey.aaguid ? { aaguid: passkey.aaguid } : {}),
  name: passkey.name ?? null,
  created_at: readTime(passkey.createdAt) ?? null,
})

const convertUser = (
  user: z.output<typeof User>,
  accounts: readonly Account[],
  passkeys: readonly Passkey[],
): Converted => {
  const { username, displayUsername, email, name } = user
  const password = accounts.find((account) => account.providerId === 'credential' && account.password)
  const identities = readIdentities(
    accounts
      .filter(({ providerId }) => providerId !== 'credential')
      .map(({ providerId: provider, accountId: subject }) => ({ provider, subject })),
  )
  return {
    id: String(user.id),
    fields: {
      // The form for comparisons is in lower case. The one for display can be another name.
      username: (displayUsername?.toLowerCase() === username && displayUsername) || username || email || '',
      ...readEmail(email, { isVerified: Boolean(user.emailVerified) }),
      full_name: joinNames(name),
      is_enabled: !user.banned,
      created_at: readTime(user.createdAt),
      password_hash: password?.password ?? undefined,
      ...(passkeys.length > 0 ? { passkeys: passkeys.map(toPasskeyLine) } : {}),
      ...identities.fields,
    },
    left: identities.left,
  }
}
