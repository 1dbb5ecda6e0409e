import { exec } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/*
 * Installs the packages that a single suite needs: `node build/install-tools.ts <folder> …`. Each folder has a package.json and a lock
 * of its own, so that `npm ci` of the project stays small. A folder is left alone while its lock is the one that was installed.
 */

const install = async (folder: string): Promise<void> => {
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8')
  // It stands in the folder that npm deletes first, so an installation that ends early leaves none.
  const installed = join(folder, 'node_modules/.installed-lock.json')
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return
  await promisify(exec)(`npm ci --prefix ${folder} --no-audit --no-fund`)
  writeFileSync(installed, lock)
}

await Promise.all(process.argv.slice(2).map(install))
