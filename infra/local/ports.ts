import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

const loopback = '127.0.0.1'

/** A port of the loopback address that nothing listened on a moment ago. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, loopback)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Why a port of the loopback address can't be listened on (`EADDRINUSE`, `EACCES`), or undefined when it can. */
export const portFault = (port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    server.listen(port, loopback, () => server.close(() => resolve(undefined)))
  })
