import {
  type AgentKey,
  type AgentPreset,
  agentPresets,
} from '../../lib/features/oauth/agent-presets.models.ts'
import { replaceGeneratedPart } from './generated-part.ts'

/* The agents of `docs/agents.md`. The facts are those that the console fills in, and the words about each agent stand here. */

interface AgentWords {
  /** Where its users enter the address of your server. */
  readonly setUp: string
  readonly wrong: string
}

const words: Readonly<Record<AgentKey, AgentWords>> = {
  claude: {
    setUp:
      'Customize → Connectors → Add custom connector: the address of your server. Leave client ID and secret empty. The servers of Claude call yours, so it needs a public address.',
    wrong:
      'Claude reports that it could not reach the server, although a browser can: a firewall refuses its network.',
  },
  claude_code: {
    setUp: '`claude mcp add --transport http films https://films.example.com/mcp`, then `/mcp`.',
    wrong: 'The browser runs on another machine: the sign-in returns to the machine of Claude Code alone.',
  },
  chatgpt: {
    setUp:
      'In the developer mode, create a connector with the address of your server, and OAuth. Its servers call yours, so it needs a public address.',
    wrong:
      'It signs assertions with keys from its document, which Latchkey reads. If it is refused with `invalid_client`, its keys were just changed: try again after a minute.',
  },
  cursor: {
    setUp:
      'In `mcp.json`, give the server the field `auth` with `CLIENT_ID` and `scopes`. It registers itself otherwise, which Latchkey does not offer.',
    wrong:
      '`redirect_uri` is not one of the client: Cursor changed its address in 2026. Add the one that the error page names. Any program can claim the scheme `cursor:`, so each sign-in is asked.',
  },
  vscode: {
    setUp: '`MCP: Add Server` → HTTP. It asks to sign in at the first call.',
    wrong:
      'In a browser, the sign-in returns to `vscode.dev`. On a machine, it returns to port 33418 of that machine.',
  },
  copilot_studio: {
    setUp:
      'Tools → Add a tool → Model Context Protocol, with OAuth 2.0 of the kind Manual: client ID, secret, and both addresses of Latchkey, `/oauth2/authorize` and `/oauth2/token`. The token address is also the one to refresh.',
    wrong:
      'Its own redirect URL appears after you save. Enter that one in the client: each connector has another one.',
  },
  gemini_cli: {
    setUp:
      'In `settings.json`, give the server `oauth` with `clientId` and `scopes`, and sign in with `/mcp auth films`. The address of the server is `httpUrl`.',
    wrong: 'With `url` instead of `httpUrl`, it expects another transport and reports a failed connection.',
  },
  le_chat: {
    setUp:
      'Connectors → Add connector → Custom: the address of your server, then the client ID and the secret.',
    wrong: '“Missing oauth2 metadata secrets”: the client is public. It has to be confidential.',
  },
  grok: {
    setUp: 'Connectors → New connector → Custom: the address of your server.',
    wrong:
      'It lists the tools and never signs in: your server answered the first request without a token. The example refuses it with 401.',
  },
  goose: {
    setUp: 'Extensions → Add custom extension, of the kind Streamable HTTP.',
    wrong: 'It stops if a service does not know client ID documents. Latchkey does, if you allow its host.',
  },
}

const toFileName = (key: AgentKey): string => key.replaceAll('_', '-')

/** The entry of a configuration file that lets an agent in. */
const describeEntry = (key: AgentKey): string => {
  const agent: AgentPreset = agentPresets[key]
  if (agent.way === 'document')
    return [
      'agent_policy:',
      `  hosts: [${agent.hosts.join(', ')}]`,
      ...(agent.callbackHost === undefined
        ? []
        : [`  callback_hosts: [{ host: ${agent.hosts[0]}, callback_host: ${agent.callbackHost} }]`]),
    ].join('\n')
  return [
    'clients:',
    `  ${toFileName(key)}:`,
    `    name: ${agent.name}`,
    `    type: ${agent.type}`,
    '    redirect_uris:',
    ...agent.redirectUris.map((uri) => `      - ${uri}`),
    '    scopes: [openid, profile, email, offline_access]',
    '    apis: [{ audience: "https://films.example.com/mcp", scopes: [films.read] }]',
  ].join('\n')
}

const describeKind = (agent: AgentPreset): string => {
  if (agent.way === 'document')
    return `describes itself at ${agent.hosts.map((host) => `\`${host}\``).join(', ')}${
      agent.callbackHost === undefined ? '' : `, and returns to \`${agent.callbackHost}\` as well`
    }`
  return agent.type === 'public'
    ? 'a client that you register, without a secret'
    : 'a client that you register, with a secret'
}

const writeSection = (key: AgentKey): string => {
  const agent: AgentPreset = agentPresets[key]
  const { setUp, wrong } = words[key]
  return [
    `### ${agent.name}`,
    '',
    `- **Kind:** ${describeKind(agent)}.`,
    `- **In ${agent.name}:** ${setUp}`,
    `- **If it fails:** ${wrong}`,
    `- **Seen:** ${agent.seenAt}.`,
    '',
    `\`\`\`yaml file=${toFileName(key)}.yaml`,
    describeEntry(key),
    '```',
  ].join('\n')
}

const path = 'docs/agents.md'

/** The page about agents, with the part of each agent. */
export const agentsPage = (): readonly [path: string, text: string] => {
  const sections = (Object.keys(agentPresets) as readonly AgentKey[]).map(writeSection).join('\n\n')
  return [path, replaceGeneratedPart(path, 'build/docs/agents-page.ts', sections)]
}
