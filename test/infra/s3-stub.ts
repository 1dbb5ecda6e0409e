import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listenOnLoopback } from '../support/listen-on-loopback.ts'

/** A request to store an object: its bucket and name, and who signed it. */
export interface PutRequest {
  readonly bucket: string
  readonly name: string
  readonly signer: string
}

/** Starts a stub of S3 that stores objects, and replaces none if the request forbids it. `may` decides about each request. */
export const startS3 = async (may: (request: PutRequest) => boolean = () => true) => {
  /** The content of each object, by bucket and name. */
  const objects = new Map<string, Buffer>()
  const server = createServer(async (req, res) => {
    const content = await buffer(req)
    const path = decodeURIComponent((req.url ?? '').split('?')[0] ?? '').slice(1)
    const [bucket = '', ...name] = path.split('/')
    const signer = /Credential=([^/]+)/.exec(req.headers.authorization ?? '')?.[1] ?? ''
    const refuse = (status: number, code: string) =>
      res.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)
    if (req.method !== 'PUT' || !may({ bucket, name: name.join('/'), signer })) refuse(403, 'AccessDenied')
    else if (req.headers['if-none-match'] === '*' && objects.has(path)) refuse(412, 'PreconditionFailed')
    else {
      objects.set(path, content)
      res.writeHead(200, { etag: '"1"' }).end()
    }
  })
  return { ...(await listenOnLoopback(server)), objects }
}
