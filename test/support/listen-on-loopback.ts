import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LoopbackServer {
  readonly url: string
  /** Ends all connections. */
  readonly close: () => Promise<void>
}

/** Starts a server on a free port of this machine. */
export const listenOnLoopback = async (server: Server): Promise<LoopbackServer> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
