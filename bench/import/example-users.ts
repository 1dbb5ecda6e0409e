import { writeFileSync } from 'node:fs'

const columns = ['username', 'email', 'full_name', 'password_hash'] as const
type ExampleUser = Readonly<Record<(typeof columns)[number], string>>

const passwordHash = `$2b$10$${'a'.repeat(21)}e${'a'.repeat(30)}a`

/** Users as another system exports them: with an email address, a name, and a password hash. */
export const createExampleUsers = (count: number, name: string): readonly ExampleUser[] =>
  Array.from({ length: count }, (_, at) => ({
    username: `${name}-${at}`,
    email: `${name}-${at}@example.com`,
    full_name: `User ${at}`,
    password_hash: passwordHash,
  }))

/** Writes an import file. */
export const writeExampleFile = (path: string, users: readonly ExampleUser[]): void => {
  const rows = users.map((user) => columns.map((column) => user[column]).join(','))
  writeFileSync(path, `${[columns.join(','), ...rows].join('\n')}\n`)
}
