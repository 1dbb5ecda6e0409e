import { fileURLToPath } from 'node:url'
import { findUser, findUserIdByUsername } from '../../../lib/accounts/users/find-users.records.ts'
import type { TestService } from '../../support/service.ts'
import { type CommandResult, environmentOf, type Folder, runMigrate } from '../command.ts'

/** An export that is part of the tests. */
export const exportOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

export interface Migration {
  readonly run: (...args: readonly string[]) => Promise<CommandResult>
  /** Writes an export and runs the command on it. */
  readonly runOn: (
    source: string,
    content: unknown,
    ...options: readonly string[]
  ) => Promise<CommandResult & { readonly file: string }>
  readonly findUser: (username: string) => ReturnType<typeof findUser>
}

/** Runs the command on the table of a service. Reports go to the folder. */
export const createMigration = (service: TestService, folder: Folder): Migration => {
  let count = 0
  const run = (...args: readonly string[]) =>
    runMigrate([...args, '--table', service.tableName], environmentOf())
  return {
    run,
    runOn: async (source, content, ...options) => {
      const text = typeof content === 'string' ? content : JSON.stringify(content)
      const file = folder.file(`${source}-${++count}.json`, text)
      return { ...(await run(`from-${source}`, file, ...options)), file }
    },
    findUser: async (username) => {
      const id = await findUserIdByUsername(service.services.table, username.toLowerCase())
      return id === undefined ? undefined : findUser(service.services.table, id)
    },
  }
}
