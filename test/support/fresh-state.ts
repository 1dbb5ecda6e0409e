import { afterAll, vi } from 'vitest'
import { reuseRsaKeys } from './reuse-rsa-keys.ts'

/*
 * Test files of a worker share its process, and with it the packages of others, which take long to load. Each file
 * evaluates the modules of this project anew, because they read their environment once, and gets the environment, the
 * clock and the folder that the process started with.
 */
vi.resetModules()

const { env } = process
const environment = { ...env }
const folder = process.cwd()
const { fetch } = globalThis
const stopReusing = reuseRsaKeys()

afterAll(() => {
  stopReusing()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  globalThis.fetch = fetch
  if (process.cwd() !== folder) process.chdir(folder)
  process.env = env
  for (const name of Object.keys(env)) if (!Object.hasOwn(environment, name)) delete env[name]
  Object.assign(env, environment)
})
