import * as z from 'zod/mini'
import { createSource, readDocument, requireList } from './document.ts'
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
const Account = z.object({ userId: id, providerId: z.string(), password: maybeText })
type Account = z.output<typeof Account>

const notTables = 'This is not an object with the rows of the tables user and account, as lists.'

/** @throws CommandFailure if the file does not have both tables. */
export const openBetterAuth = async (file: string): Promise<Source> => {
  const document = await readDocument(file)
  const tables = new Map(isRecord(document) ? Object.entries(document) : [])
  const users = requireList(tables.get('user'), notTables)
  const ids = new Set(users.map((user) => (isRecord(user) ? String(user['id']) : undefined)))
  const { accounts, unused } = readAccounts(requireList(tables.get('account'), notTables), ids)
  const others = [...tables, ['account', unused] as const].flatMap(([name, rows]) =>
    !Array.isArray(rows) || rows === users || rows === tables.get('account')
      ? []
      : rows.map(() => `rows of ${name}`),
  )
  // Rows of other tables come after all users, so that the line of a user is the place in their table.
  return createSource([...users, ...others], (line, record) =>
    line > users.length
      ? { line, skipped: String(record) }
      : readRecord(line, record, User, (user) => convertUser(user, accounts.get(String(user.id)) ?? [])),
  )
}

/** The accounts by the IDs of their users, and the rows that belong to none of these users. */
const readAccounts = (rows: readonly unknown[], ids: ReadonlySet<string | undefined>) => {
  const accounts = new Map<string, Account[]>()
  const unused: unknown[] = []
  for (const row of rows) {
    const account = Account.safeParse(row).data
    const list = account && accounts.get(String(account.userId))
    if (!account || !ids.has(String(account.userId))) unused.push(row)
    else if (list) list.push(account)
    else accounts.set(String(account.userId), [account])
  }
  return { accounts, unused }
}

const convertUser = (user: z.output<typeof User>, accounts: readonly Account[]): Converted => {
  const { username, displayUsername, email, name } = user
  const password = accounts.find((account) => account.providerId === 'credential' && account.password)
  return {
    id: String(user.id),
    fields: {
      // The form for comparisons is in lower case. The one for display can be another name.
      username: (displayUsername?.toLowerCase() === username && displayUsername) || username || email || '',
      ...readEmail(email, Boolean(user.emailVerified)),
      full_name: joinNames(name),
      is_enabled: !user.banned,
      created_at: readTime(user.createdAt),
      password_hash: password?.password ?? undefined,
    },
    left: accounts
      .filter(({ providerId }) => providerId !== 'credential')
      .map(({ providerId }) => `sign-in with ${providerId}`),
  }
}
