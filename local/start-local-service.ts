import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { LatchkeyConfig } from '../lib/client/generated/configuration.ts'
import { getModuleUrl, startChildProcess } from './child-process.ts'
import { readImages } from './config/read-images.ts'
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
  /** A configuration file, such as `latchkey.config.ts`, or what it contains. Default: none. */
  readonly config?: string | LatchkeyConfig
  /** More settings of local mode by the names of their environment variables, such as `ALLOWED_ORIGINS`. */
  readonly settings?: Readonly<Record<string, string>>
}

/**
 * The outputs of a configuration, by list and key.
 *
 * @example
 * ```ts
 * import type { LocalOutputs } from 'latchkey'
 *
 * export const readSecret = (outputs: LocalOutputs) => outputs.clients?.['web']?.client_secret
 * ```
 */
export interface LocalOutputs {
  readonly clients?: Readonly<Record<string, { readonly client_id: string; readonly client_secret?: string }>>
  readonly service_accounts?: Readonly<Record<string, { readonly username: string; readonly token?: string }>>
  readonly saml_providers?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly oidc_connections?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly users?: Readonly<Record<string, { readonly id: number; readonly username: string }>>
  readonly api_tokens?: Readonly<Record<string, { readonly id: number; readonly token: string }>>
  readonly access_links?: Readonly<
    Record<string, { readonly id: number; readonly token: string; readonly full_url: string }>
  >
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
  /**
   * What the service chose for what is in `config`: by list and key, such as `outputs.clients.web.client_secret`. Secrets are in it on the
   * first start only, unless data are in memory.
   */
  readonly outputs: LocalOutputs
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
  const { adminPassword, dataDir = ':memory:', config, settings = {} } = options
  const [misspelt] = findMisspeltVariables(Object.keys(settings))
  if (misspelt !== undefined) throw new Error(misspelt)
  const port = options.port === 0 ? await findFreePortPair() : (options.port ?? 3000)
  const program = fileURLToPath(getModuleUrl('../cli/latchkey'))
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-config-'))
  const outputs = dataDir === ':memory:' ? join(folder, 'outputs.json') : resolve(dataDir, 'outputs.json')
  const child = startChildProcess([process.execPath, program, 'start'], {
    ...process.env,
    CONFIG_FILE: config === undefined ? 'none' : await writeConfig(config, folder),
    CONFIG_OUTPUTS: outputs,
    ...settings,
    ADMIN_PASSWORD: adminPassword,
    PORT: String(port),
    DATA_DIR: dataDir,
  })
  while (!child.hasExited()) {
    const url = /^ready (\S+)$/m.exec(child.output())?.[1]
    if (url) {
      const stop = async () => {
        await child.stop()
        rmSync(folder, { recursive: true, force: true })
      }
      return { url, mailUrl: `http://localhost:${port + 1}`, outputs: readOutputs(outputs), stop }
    }
    await Promise.race([child.exited, sleep(pollMs)])
  }
  rmSync(folder, { recursive: true, force: true })
  throw new Error(`Latchkey did not start. ${child.output().trim()}`)
}

/** Returns the path of a configuration, which the service watches. */
const writeConfig = async (config: string | LatchkeyConfig, folder: string): Promise<string> => {
  if (typeof config === 'string') return resolve(config)
  const { input, errors } = await readImages(config, process.cwd())
  const [error] = errors
  if (error) throw new Error(`config: ${error.field} ${error.message}.`)
  const file = join(folder, 'latchkey.config.json')
  writeFileSync(file, JSON.stringify(resolveModules(input)), { mode: 0o600 })
  return file
}

/** Paths of modules begin in the folder of the program, as those of images do. The file is elsewhere. */
const resolveModules = (input: unknown): unknown => {
  const { hooks } = input as LatchkeyConfig
  if (!hooks) return input
  const entries = Object.entries(hooks).map(([name, hook]) => [
    name,
    typeof hook?.module === 'string' ? { ...hook, module: resolve(hook.module) } : hook,
  ])
  return { ...(input as LatchkeyConfig), hooks: Object.fromEntries(entries) }
}

const readOutputs = (file: string): LocalOutputs =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
