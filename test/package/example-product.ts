import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { findFreePortPair } from '../../local/ports.ts'

import { runOrFail, type Tarballs, terminalEnvironment } from './project.ts'

/** An example in a folder of its own, with the packed packages. */
export interface ExampleProduct {
  readonly folder: string
  readonly remove: () => void
}

const notCopied = ['node_modules', 'cdk.out', '.local']

export const installExampleProduct = (tarballs: Tarballs): Promise<ExampleProduct> =>
  installExample('product', tarballs)

export const installExample = async (
  example: 'product' | 'mcp-server' | 'legacy-password-check' | 'hooks',
  tarballs: Partial<Tarballs>,
): Promise<ExampleProduct> => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-example-'))
  cpSync(join('examples', example), folder, {
    recursive: true,
    filter: (path) => !notCopied.includes(basename(path)) && !path.endsWith('.tgz'),
  })
  for (const [name, path] of Object.entries(tarballs)) copyFileSync(path, join(folder, `${name}.tgz`))
  await runOrFail(['npm', 'ci', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: folder })
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }) }
}

export interface RunningProduct {
  readonly url: string
  readonly latchkeyUrl: string
  readonly stop: () => Promise<void>
}

const printsReady = (child: ChildProcessWithoutNullStreams): Promise<void> =>
  new Promise((resolve, reject) => {
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (/^ready /m.test(output)) resolve()
      })
    child.once('close', () => reject(new Error(`The product ended: ${output}`)))
  })

/** Runs `npm start` in the folder of the product. */
export const startExampleProduct = async ({ folder }: ExampleProduct): Promise<RunningProduct> => {
  const [port, latchkeyPort] = [await findFreePortPair(), await findFreePortPair()]
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env: {
      ...terminalEnvironment(),
      PORT: String(port),
      LATCHKEY_PORT: String(latchkeyPort),
      BREACH_ENDPOINT: '',
      PASSWORD_COST: '4',
    },
    // A process group of its own, which the signal reaches as a whole.
    detached: true,
  })
  const closed = once(child, 'close')
  await printsReady(child)
  return {
    url: `http://127.0.0.1:${port}`,
    latchkeyUrl: `http://localhost:${latchkeyPort}`,
    stop: async () => {
      if (child.pid) process.kill(-child.pid, 'SIGINT')
      await closed
    },
  }
}
