import { createServer } from 'node:http'
import type { JsonValue } from './client.ts'
import { type LoopbackServer, listenOnLoopback } from './listen-on-loopback.ts'

export interface Product extends LoopbackServer {
  /** Sets the service that exchanges the tickets. */
  readonly trust: (serviceUrl: string) => void
}

/**
 * Starts a product on an origin of its own. Its page greets the user of the ticket in its address, and names the address
 * without the ticket.
 */
export const startProduct = async (): Promise<Product> => {
  let checkUrl = ''
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', product.url)
    const ticket = url.searchParams.get('ticket')
    url.searchParams.delete('ticket')
    const body = JSON.stringify({ ticket, audience: product.url, include: ['context'] })
    const headers = { 'content-type': 'application/json' }
    const answer = ticket ? await fetch(checkUrl, { method: 'POST', headers, body }) : undefined
    const user: JsonValue = answer?.ok ? await answer.json() : undefined
    const link = user?.context.access_token ? ` by link ${user.context.access_token}` : ''
    const greeting = user ? `Hello ${user.display_name}${link}` : 'No user'
    response.setHeader('content-type', 'text/html')
    response.end(
      `<!doctype html><title>Product</title><h1>${greeting}</h1><p>${url.pathname}${url.search}</p>`,
    )
  })
  const product = await listenOnLoopback(server)
  const trust = (serviceUrl: string): void => {
    checkUrl = `${serviceUrl}/api/2/auth/ticket/check`
  }
  return { ...product, trust }
}
