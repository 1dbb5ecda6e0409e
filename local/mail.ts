import { Worker } from 'node:worker_threads'
import { getModuleUrl } from './child-process.ts'

interface MailOptions {
  readonly port: number
  /** The service, whose branding the previews show. */
  readonly serviceUrl?: string
  /** Called with one sentence if the endpoint exits unexpectedly. */
  readonly onExit?: (reason: string) => void
}

export interface Mail {
  /** The endpoint for SES clients. In a browser it shows all emails sent since the start, and previews of all emails. */
  readonly url: string
  readonly close: () => Promise<void>
}

/**
 * Starts a local replacement for SES that delivers nothing. It runs in its own thread because it loads a web framework,
 * which would delay everything else.
 */
export const startMail = async ({
  port,
  serviceUrl = 'http://127.0.0.1',
  onExit,
}: MailOptions): Promise<Mail> => {
  const worker = new Worker(getModuleUrl('./mail-worker'), {
    workerData: { port, serviceUrl },
    // The output is captured and dropped to keep it off the terminal.
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
    if (!isClosing) onExit?.(`The mail endpoint exited unexpectedly.${cause}`)
  })
  return {
    url: `http://localhost:${port}`,
    close: async () => {
      isClosing = true
      await worker.terminate()
    },
  }
}
