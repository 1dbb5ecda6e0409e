import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Asks git. A folder inside another repository, such as that of a product, has no commit of its own. */
const readCommit = (): string => {
  try {
    const answer = execFileSync('git', ['rev-parse', '--show-cdup', 'HEAD'], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 5000,
    })
    return /^\n([0-9a-f]{40,64})\n$/.exec(answer)?.[1] ?? 'unknown'
  } catch {
    return 'unknown'
  }
}

/** The commit that this was built from, or `unknown` outside of a checkout. */
export const commit = readCommit()
