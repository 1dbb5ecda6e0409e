import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

const loopback = '127.0.0.1'

/** Finds a free loopback port. Another process can take it before the caller does. */
export const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, loopback)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Returns why a loopback port is unavailable (`EADDRINUSE`, `EACCES`), or undefined if it is available. */
export const checkPort = (port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    server.listen(port, loopback, () => server.close(() => resolve(undefined)))
  })

/**
 * Finds a free loopback port whose next port is free as well. Both are below the range that Linux takes the ports of
 * outgoing connections from: one of those could take the port before the caller does.
 */
export const findFreePortPair = async (): Promise<number> => {
  for (;;) {
    const port = 2 * randomInt(5_000, 16_000)
    if (!(await checkPort(port)) && !(await checkPort(port + 1))) return port
  }
}

// Excludes characters that look alike or that need escaping in a shell or in JSON.
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const length = 24

/** Generates a password of 24 characters, each chosen uniformly from 56 (139 bits). */
export const generatePassword = (): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
