import { createServer, type ServerResponse } from 'node:http'
import { findAgentPolicy, replaceAgentPolicy } from '../../lib/features/oauth/agent-policy.records.ts'
import { type LoopbackServer, listenOnLoopback } from './listen-on-loopback.ts'
import type { TestService } from './service.ts'

/** A host whose documents describe clients. */
export interface DocumentHost extends LoopbackServer {
  /** Its name in the agent policy. */
  readonly host: string
  /** How often each path was read. */
  readonly reads: Map<string, number>
  /** Publishes a document, or something else, and returns its address. */
  readonly publish: (path: string, answer: DocumentAnswer) => string
  /** Publishes the document of a client that follows the rules, apart from `changes`. */
  readonly describe: (path: string, changes?: Readonly<Record<string, unknown>>) => string
}

type DocumentAnswer = string | ((response: ServerResponse) => void)

export const agentRedirectUri = 'http://127.0.0.1:49200/callback'

export const startDocumentHost = async (): Promise<DocumentHost> => {
  const answers = new Map<string, DocumentAnswer>()
  const reads = new Map<string, number>()
  const server = await listenOnLoopback(
    createServer(({ url = '' }, response) => {
      reads.set(url, (reads.get(url) ?? 0) + 1)
      const answer = answers.get(url)
      if (answer === undefined) response.writeHead(404).end()
      else if (typeof answer === 'string')
        response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
      else answer(response)
    }),
  )
  const publish: DocumentHost['publish'] = (path, answer) => {
    answers.set(path, answer)
    return server.url + path
  }
  return {
    ...server,
    host: new URL(server.url).host,
    reads,
    publish,
    describe: (path, changes = {}) =>
      publish(
        path,
        JSON.stringify({
          client_id: server.url + path,
          client_name: 'Your bank',
          redirect_uris: [agentRedirectUri],
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code'],
          logo_uri: 'x',
          ...changes,
        }),
      ),
  }
}

/** Lets agents of these hosts describe themselves, as administrators do in the console. */
export const allowAgents = async (
  { services: { table } }: Pick<TestService, 'services'>,
  ...hosts: readonly string[]
): Promise<void> => replaceAgentPolicy(table, await findAgentPolicy(table), { hosts, callbackHosts: [] }, [])
