import {
  createJwtMiddleware,
  createResourceMetadata,
  hasPermission,
  type TokenUser,
} from '@latchkey/middleware'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import * as z from 'zod'

interface Settings {
  readonly latchkeyUrl: string
  /** The address of this server. It is also the audience of its access tokens. */
  readonly resource: string
}

const films = new Map([
  [1, 'Metropolis'],
  [2, 'M'],
])

const sayText = (text: string) => ({ content: [{ type: 'text' as const, text }] })

/** The tools for a caller. What an agent may do is what its user may do, and what the scopes of its token allow. */
const createTools = (user: TokenUser): McpServer => {
  const server = new McpServer({ name: 'films', version: '1.0.0' })
  server.registerTool('list_films', { description: 'Lists all films.' }, () =>
    sayText([...films].map(([id, title]) => `${id} ${title}`).join('\n')),
  )
  server.registerTool(
    'delete_film',
    { description: 'Deletes a film.', inputSchema: { id: z.number() } },
    ({ id }) => {
      if (!hasPermission(user, 'films:edit'))
        return { ...sayText('You may not delete films.'), isError: true }
      return sayText(films.delete(id) ? 'Deleted.' : 'There is no such film.')
    },
  )
  return server
}

/** Creates the function that answers requests: with tools for callers who have a token, and with the way to one for others. */
export const createFilmServer = ({ latchkeyUrl, resource }: Settings) => {
  const scope = 'films.read'
  const metadata = createResourceMetadata({
    baseUrl: latchkeyUrl,
    resource,
    scopes: [scope, 'films.edit'],
    name: 'Films',
  })
  const tokens = createJwtMiddleware({
    baseUrl: latchkeyUrl,
    audience: resource,
    resourceMetadata: metadata.url,
  })
  const answerCall = tokens.web(
    async (request, user) => {
      // Nothing is kept between requests, so that any number of servers can answer them.
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
      await createTools(user).connect(transport)
      return transport.handleRequest(request)
    },
    { scope },
  )
  return async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    if (pathname === metadata.path) return Response.json(metadata.document)
    return pathname === new URL(resource).pathname ? answerCall(request) : new Response(null, { status: 404 })
  }
}
