import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { findFreePortPair } from '../../local/ports.ts'

import { type Project, terminalEnvironment } from './project.ts'

/** The password of the user `admin`. */
export const password = 'violin harbor mustard'

interface StartedService {
  readonly url: string
  readonly mailUrl: string
  /** Sends Ctrl-C as a terminal does. Resolves when npx and the service have ended. */
  readonly stop: () => Promise<void>
}

/** Runs `npm exec --no -- latchkey start`, or another program and its arguments, in the folder of a project until it is ready. */
export const startWithNpx = async (
  { folder }: Project,
  [program = 'npm', ...args]: readonly string[] = ['npm', 'exec', '--no', '--', 'latchkey', 'start'],
): Promise<StartedService> => {
  const port = await findFreePortPair()
  const child = spawn(program, args, {
    cwd: folder,
    env: {
      ...terminalEnvironment(),
      PORT: String(port),
      DATA_DIR: 'data of a product',
      ADMIN_PASSWORD: password,
      BREACH_ENDPOINT: '',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, which the signal reaches as a whole.
    detached: true,
  })
  let output = ''
  const closed = once(child, 'close')
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (/^ready /m.test(output)) resolve()
      })
  })
  await Promise.race([
    ready,
    closed.then(() => {
      throw new Error(`Latchkey ended: ${output}`)
    }),
  ])
  return {
    url: `http://localhost:${port}`,
    mailUrl: `http://localhost:${port + 1}`,
    stop: async () => {
      if (child.pid) process.kill(-child.pid, 'SIGINT')
      await closed
    },
  }
}

/** Signs in. Returns the status of the response. */
export const signInAsAdmin = async (url: string): Promise<number> => {
  const { status } = await fetch(`${url}/api/2/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  })
  return status
}
