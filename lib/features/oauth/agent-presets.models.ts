/*
 * What agents of others need to connect: the console fills its forms with it, the documentation lists it, and tests let each agent
 * connect by its row. Facts that a vendor can change have the day on which they were seen.
 */

/** An agent that describes itself: its document is at one of these hosts. */
interface DescribedAgent {
  readonly way: 'document'
  /** The hosts of its documents. */
  readonly hosts: readonly [string, ...string[]]
  /** Another host of the same company, where its users come back to. */
  readonly callbackHost?: string
}

/** An agent that an administrator registers. */
interface RegisteredAgent {
  readonly way: 'row'
  readonly type: 'public' | 'confidential'
  readonly redirectUris: readonly [string, ...string[]]
  /** Whether the agent makes its address only after it was set up there. It begins with the one here, and replaces it. */
  readonly isAddressLater?: true
}

export type AgentPreset = (DescribedAgent | RegisteredAgent) & {
  readonly name: string
  /** Where it was seen, and when. */
  readonly seenAt: string
}

/** The agents, in the order of the documentation. Their names are those of products, and the same in all languages. */
export const agentPresets = {
  claude: {
    name: 'Claude',
    way: 'document',
    hosts: ['claude.ai'],
    seenAt: 'the document of its connectors, September 2026',
  },
  claude_code: {
    name: 'Claude Code',
    way: 'document',
    hosts: ['claude.ai'],
    seenAt: 'its document, September 2026',
  },
  chatgpt: {
    name: 'ChatGPT',
    way: 'document',
    hosts: ['chatgpt.com'],
    seenAt: 'its document, September 2026',
  },
  cursor: {
    name: 'Cursor',
    way: 'row',
    type: 'public',
    redirectUris: [
      'http://localhost:8787/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
      // Versions before the middle of 2026.
      'cursor://anysphere.cursor-mcp/oauth/callback',
    ],
    seenAt: 'cursor.com/docs/mcp, and Altinity/altinity-mcp#169, September 2026',
  },
  vscode: {
    name: 'Visual Studio Code',
    way: 'document',
    hosts: ['vscode.dev'],
    seenAt: 'its document, September 2026',
  },
  copilot_studio: {
    name: 'Copilot Studio',
    way: 'row',
    type: 'confidential',
    redirectUris: ['https://global.consent.azure-apim.net/redirect/'],
    isAddressLater: true,
    seenAt: 'tableau/tableau-mcp#772, August 2026, and its setup form, October 2026',
  },
  gemini_cli: {
    name: 'Gemini CLI',
    way: 'row',
    type: 'public',
    redirectUris: ['http://localhost:7777/oauth/callback'],
    seenAt: 'docs.zuora.com, “Redirect URIs by MCP client”, and google-gemini/gemini-cli#25724, 2026',
  },
  le_chat: {
    name: 'Le Chat',
    way: 'row',
    type: 'confidential',
    redirectUris: ['https://callback.mistral.ai/v1/integrations_auth/oauth2_callback'],
    seenAt: 'pantalytics/odoo-mcp-pro#21 and #22, April 2026',
  },
  grok: {
    name: 'Grok',
    way: 'document',
    hosts: ['grok.com'],
    callbackHost: 'console.x.ai',
    seenAt: 'koala73/worldmonitor#8307, 17 September 2026',
  },
  goose: {
    name: 'Goose',
    way: 'document',
    hosts: ['goose-docs.ai'],
    seenAt: 'aaif-goose/goose#8550 and #10727, July 2026',
  },
} as const satisfies Readonly<Record<string, AgentPreset>>
export type AgentKey = keyof typeof agentPresets

const all: readonly (readonly [AgentKey, AgentPreset])[] = Object.entries(
  agentPresets,
) as readonly (readonly [AgentKey, AgentPreset])[]

/** The agents that an administrator registers. */
export const registeredAgents = all.flatMap(([key, agent]) =>
  agent.way === 'row' ? [{ key, ...agent }] : [],
)

/** The agents that describe themselves. */
export const describedAgents = all.flatMap(([key, agent]) =>
  agent.way === 'document' ? [{ key, ...agent }] : [],
)
