import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { TestCertificate } from '../support/certificates.ts'

/** Identity providers of pysaml2, in one process. */
export interface Pysaml2 {
  /** Opens an identity provider. Returns its metadata. */
  readonly open: (options: {
    readonly entityId: string
    readonly ssoUrl: string
    readonly signer: TestCertificate
  }) => Promise<string>
  /** Lets it sign users in to a service. */
  readonly trust: (entityId: string, spMetadata: string) => Promise<void>
  /** Signs a user in at a request of the service. */
  readonly answer: (options: {
    readonly entityId: string
    readonly request: string
    readonly nameId: string
    readonly attributes: Readonly<Record<string, string>>
  }) => Promise<{ readonly acsUrl: string; readonly response: string }>
  readonly close: () => Promise<void>
}

export const startPysaml2 = (): Pysaml2 => {
  const script = new URL('parties/pysaml2_idp.py', import.meta.url).pathname
  const child = spawn('/usr/bin/python3', [script], { stdio: ['pipe', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let last: Promise<unknown> = Promise.resolve()
  /** One command at a time, because answers come in the order of the commands. */
  const send = (command: object): Promise<Readonly<Record<string, string>>> => {
    const answer = last.then(async () => {
      child.stdin.write(`${JSON.stringify(command)}\n`)
      const { value, done } = await lines.next()
      if (done) throw new Error(`pysaml2 ended: ${errors}`)
      return JSON.parse(value)
    })
    last = answer.catch(() => {})
    return answer
  }
  return {
    open: async ({ entityId, ssoUrl, signer: { keyPem: key, pem: certificate } }) => {
      const command = { entity_id: entityId, sso_url: ssoUrl, key, certificate }
      const { metadata = '' } = await send({ open: command })
      return metadata
    },
    trust: async (entityId, spMetadata) => {
      await send({ trust: { entity_id: entityId, sp_metadata: spMetadata } })
    },
    answer: async ({ entityId, request, nameId, attributes }) => {
      const command = { entity_id: entityId, request, name_id: nameId, attributes }
      const { acs_url: acsUrl = '', response = '' } = await send({ answer: command })
      return { acsUrl, response }
    },
    close: async () => {
      const closed = once(child, 'close')
      child.stdin.end()
      await closed
    },
  }
}
