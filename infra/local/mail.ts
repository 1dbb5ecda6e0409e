import { Worker } from 'node:worker_threads'

export interface MailOptions {
  readonly port: number
  /** Told, in one sentence, when it ends though nobody closed it. */
  readonly onExit?: (reason: string) => void
}

export interface Mail {
  /** The endpoint that SES clients send to; in a browser, a page with all mail sent since the start. */
  readonly url: string
  readonly close: () => Promise<void>
}

/**
 * Starts a stand-in for SES that keeps mail to itself, in a thread of its own: it loads a web framework, which would
 * hold up everything else, and ends with us.
 */
export const startMail = async ({ port, onExit }: MailOptions): Promise<Mail> => {
  const worker = new Worker(new URL('./mail-worker.ts', import.meta.url), {
    workerData: { port },
    // Taken here and dropped, so that nothing of it gets to the terminal.
    stdout: true,
    stderr: true,
  })
  let isClosing = false
  let cause = ''
  worker.stdout.resume()
  worker.stderr.resume()
  worker.on('error', (error: Error) => {
    cause = ` ${error.message}`
  })
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve())
    exited.then(() => reject(new Error(`The mail endpoint did not start.${cause}`)))
  })
  exited.then(() => {
    if (!isClosing) onExit?.(`The mail endpoint ended by itself.${cause}`)
  })
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      isClosing = true
      await worker.terminate()
    },
  }
}
