import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { getModuleUrl, startChildProcess } from './child-process.ts'
import { findFreePortPair } from './ports.ts'
import { findMisspeltVariables } from './settings.ts'

/**
 * The options of `startLocalService`.
 *
 * @example
 * ```ts
 * import type { LocalServiceOptions } from 'latchkey'
 *
 * export const options: LocalServiceOptions = { adminPassword: 'violin harbor mustard', dataDir: '.local' }
 * ```
 */
export interface LocalServiceOptions {
  /** The password of the user `admin` on the first start: 12 to 1,024 characters, and not easy to guess. */
  readonly adminPassword: string
  /** The port of the service, 3000 by default; 0 takes a free one. Sent emails are shown on the port above it. */
  readonly port?: number
  /** The folder for data. The default, `:memory:`, keeps data only while the service runs. */
  readonly dataDir?: string
  /** More settings of local mode by the names of their environment variables, such as `ALLOWED_ORIGINS`. */
  readonly settings?: Readonly<Record<string, string>>
}

/**
 * A service in local mode that runs in processes of its own.
 *
 * @example
 * ```ts
 * import type { LocalService } from 'latchkey'
 *
 * export const readHealth = ({ url }: LocalService) => fetch(`${url}/api/2/health`)
 * ```
 */
export interface LocalService {
  /** The origin of the service. */
  readonly url: string
  /** The page with all emails that the service sent. */
  readonly mailUrl: string
  /** Stops the service and waits for it. A service also ends with the process that started it. */
  readonly stop: () => Promise<void>
}

const pollMs = 50

/**
 * Starts the service in local mode and resolves when it accepts requests.
 *
 * @throws Error with the reason why the service did not start, such as a port in use or a misspelt setting.
 *
 * @example
 * ```ts
 * import { startLocalService } from 'latchkey'
 *
 * const service = await startLocalService({ adminPassword: 'violin harbor mustard', port: 0 })
 * console.log(service.url, service.mailUrl)
 * await service.stop()
 * ```
 */
export const startLocalService = async (options: LocalServiceOptions): Promise<LocalService> => {
  const { adminPassword, dataDir = ':memory:', settings = {} } = options
  const [misspelt] = findMisspeltVariables(Object.keys(settings))
  if (misspelt !== undefined) throw new Error(misspelt)
  const port = options.port === 0 ? await findFreePortPair() : (options.port ?? 3000)
  const program = fileURLToPath(getModuleUrl('../cli/latchkey'))
  const child = startChildProcess([process.execPath, program, 'start'], {
    ...process.env,
    ...settings,
    ADMIN_PASSWORD: adminPassword,
    PORT: String(port),
    DATA_DIR: dataDir,
  })
  while (!child.hasExited()) {
    const url = /^ready (\S+)$/m.exec(child.output())?.[1]
    if (url) return { url, mailUrl: `http://localhost:${port + 1}`, stop: child.stop }
    await Promise.race([child.exited, sleep(pollMs)])
  }
  throw new Error(`Latchkey did not start. ${child.output().trim()}`)
}
