import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder of bundles in the published package, which contains neither the sources nor the bundler. */
export const findFinishedBundles = (): string | undefined => {
  const folder = fileURLToPath(new URL('./bundles', import.meta.url))
  return existsSync(folder) ? folder : undefined
}

/** Bundles all functions in a child process and waits for it, because CDK constructs are synchronous. */
export const bundleFunctionsNow = (outDir: string): void => {
  const program = fileURLToPath(new URL('../../build/bundle/bundle.ts', import.meta.url))
  execFileSync(process.execPath, [program, outDir], { stdio: ['ignore', 'ignore', 'inherit'] })
}
