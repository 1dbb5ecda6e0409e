import type { JsonValue } from './client.ts'

/*
 * What agents publish about themselves, in September 2026, and what they send. The host of each is replaced by that of the test, with
 * the paths and everything else that decides about an authorization. `seenAt` is where the request was seen, if a source shows it.
 */

export interface AgentDocument {
  readonly agent: string
  /** The path of its document. */
  readonly path: string
  /** Where its users come back to. */
  readonly redirectUri: (origin: string) => string
  /** Who showed what the agent sends, and when. */
  readonly seenAt?: string
  /** Whether it signs assertions, because this service offers it. */
  readonly signs?: boolean
  readonly fields: (origin: string) => Readonly<Record<string, JsonValue>>
}

const loopback = ['http://127.0.0.1/callback', 'http://localhost/callback']
const usual = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] }

const describeChatGpt = (origin: string) => ({
  ...usual,
  client_name: 'ChatGPT',
  client_uri: `${origin}/`,
  jwks_uri: `${origin}/oauth/jwks.json`,
  token_endpoint_auth_method: 'private_key_jwt',
  token_endpoint_auth_signing_alg: 'RS256',
})

export const agentDocuments: readonly AgentDocument[] = [
  {
    agent: 'ChatGPT',
    path: '/oauth/client.json',
    redirectUri: (origin) => `${origin}/connector_platform_oauth_redirect`,
    signs: true,
    fields: (origin) => ({
      ...describeChatGpt(origin),
      redirect_uris: [`${origin}/connector_platform_oauth_redirect`],
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
    }),
  },
  {
    agent: 'a connector of ChatGPT',
    path: '/oauth/kDmjx77UnKOM/client.json',
    redirectUri: (origin) => `${origin}/connector/oauth/kDmjx77UnKOM`,
    signs: true,
    fields: (origin) => ({
      ...describeChatGpt(origin),
      redirect_uris: [`${origin}/connector/oauth/kDmjx77UnKOM`],
    }),
  },
  {
    agent: 'ChatGPT without a key',
    path: '/oauth/keyless/client.json',
    redirectUri: (origin) => `${origin}/connector_platform_oauth_redirect`,
    fields: (origin) => ({
      ...describeChatGpt(origin),
      redirect_uris: [`${origin}/connector_platform_oauth_redirect`],
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
    }),
  },
  {
    agent: 'Claude',
    path: '/oauth/mcp-oauth-client-metadata',
    redirectUri: (origin) => `${origin}/api/mcp/auth_callback`,
    fields: (origin) => ({
      client_name: 'Claude',
      client_uri: origin,
      response_types: ['code'],
      redirect_uris: [`${origin}/api/mcp/auth_callback`],
      grant_types: [
        ...usual.grant_types,
        // Without effect here.
        'urn:ietf:params:oauth:grant-type:jwt-bearer',
      ],
      token_endpoint_auth_method: 'none',
    }),
  },
  ...[
    { address: 'localhost', redirectUri: 'http://localhost:58135/callback' },
    { address: '127.0.0.1', redirectUri: 'http://127.0.0.1:52163/callback' },
  ].map(({ address, redirectUri }) => ({
    agent: `Claude Code at ${address}`,
    path: '/oauth/claude-code-client-metadata',
    redirectUri: () => redirectUri,
    fields: () => ({
      ...usual,
      client_name: 'Claude Code',
      token_endpoint_auth_method: 'none',
      redirect_uris: [...loopback].reverse(),
    }),
  })),
  {
    agent: 'Codex',
    path: '/oauth/codex/client.json',
    redirectUri: () => 'http://127.0.0.1:61876/callback',
    fields: () => ({
      ...usual,
      client_name: 'Codex',
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      redirect_uris: loopback,
    }),
  },
  ...[
    { where: 'on the machine', redirectUri: () => 'http://127.0.0.1:33418/' },
    { where: 'on the web', redirectUri: (origin: string) => `${origin}/redirect` },
  ].map(({ where, redirectUri }) => ({
    agent: `Visual Studio Code ${where}`,
    path: '/oauth/client-metadata.json',
    redirectUri,
    fields: (origin: string) => ({
      client_name: 'Visual Studio Code',
      client_uri: `${origin}/product`,
      response_types: ['code'],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      redirect_uris: ['http://127.0.0.1:33418/', `${origin}/redirect`],
      grant_types: [...usual.grant_types, 'urn:ietf:params:oauth:grant-type:device_code'],
    }),
  })),
  {
    agent: 'GitHub Copilot CLI',
    path: '/copilot/cli/client-metadata.json',
    // It names one port, and comes with another.
    redirectUri: () => 'http://127.0.0.1:60005/',
    fields: () => ({
      client_name: 'GitHub Copilot CLI',
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      redirect_uris: ['http://127.0.0.1:33418/'],
    }),
  },
  {
    agent: 'Goose',
    path: '/oauth/goose/client-metadata.json',
    seenAt: 'documentation/static/oauth/client-metadata.json of aaif-goose/goose, November 2026',
    redirectUri: () => 'http://localhost:51234/oauth_callback',
    fields: () => ({
      client_name: 'Goose',
      redirect_uris: ['http://localhost/oauth_callback'],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'openid profile email',
    }),
  },
  ...[
    {
      where: 'on its own host',
      redirectUri: (origin: string) => `${origin}/connectors-oauth-exchange-code/`,
    },
    { where: 'on its console', redirectUri: () => 'https://console.x.ai/connectors-oauth-exchange-code/' },
  ].map(({ where, redirectUri }) => ({
    agent: `Grok ${where}`,
    path: '/oauth/grok/client.json',
    seenAt: 'koala73/worldmonitor#8307, 17 September 2026',
    redirectUri,
    fields: (origin: string) => ({
      ...usual,
      client_name: 'Grok',
      token_endpoint_auth_method: 'none',
      redirect_uris: [
        `${origin}/connectors-oauth-exchange-code/`,
        'https://console.x.ai/connectors-oauth-exchange-code/',
      ],
    }),
  })),
  {
    agent: 'Zed',
    path: '/oauth/zed/client-metadata.json',
    redirectUri: () => 'http://127.0.0.1:50505/callback',
    fields: () => ({
      ...usual,
      client_name: 'Zed',
      token_endpoint_auth_method: 'none',
      redirect_uris: ['http://127.0.0.1/callback'],
    }),
  },
]

/** It publishes one address and sends another one, so its users are refused until an administrator registers what it sends. */
export const opencode: AgentDocument = {
  agent: 'opencode',
  path: '/oauth/opencode/client.json',
  seenAt: 'anomalyco/opencode#50510, November 2026',
  redirectUri: () => 'http://127.0.0.1:19876/mcp/oauth/callback',
  fields: (origin) => ({
    ...usual,
    client_name: 'opencode',
    client_uri: origin,
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    token_endpoint_auth_methods_supported: ['none'],
    redirect_uris: loopback,
  }),
}
