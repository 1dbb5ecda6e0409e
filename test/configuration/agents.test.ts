import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  type AgentKey,
  type AgentPreset,
  agentPresets,
} from '../../lib/features/oauth/agent-presets.models.ts'
import { readConfigFile } from '../../local/config/read-config-file.ts'
import { makeFolder } from '../cli/command.ts'
import { blocksOf } from '../docs/markdown.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { apply } from './support.ts'

/* The entries of the page about agents, added to a file with the API that it names. */

const service = await useService()
const call = callAs(service, await addSignedIn(service, { permissions: ['system:admin-access'] }))
const folder = makeFolder()
closeAfterTests({ close: async () => folder.remove() })

const start = `schema_version: 1
owner: film-library
apis:
  films:
    name: Films
    audience: https://films.example.com/mcp
    unregistered_clients: true
    permissions: [{ name: "films:view", texts: { en: Watch films } }]
    scopes: [{ name: films.read, texts: { en: Watch films }, permissions: ["films:view"] }]
`
const entries = blocksOf('docs/agents.md').filter(({ language }) => language === 'yaml')
const agents = Object.entries(agentPresets) as readonly (readonly [AgentKey, AgentPreset])[]

it('has an entry for each agent', () => {
  expect(entries).toHaveLength(agents.length)
})

it.each(agents.map(([key, agent], at) => [key, agent, entries[at]?.text ?? ''] as const))(
  '%s is let in by its entry in a file',
  async (_, agent, entry) => {
    const path = join(folder.path, 'latchkey.yaml')
    writeFileSync(path, `${start}${entry}\n`)
    await apply(service.services, (await readConfigFile(path)).document)
    if (agent.way === 'document') {
      const { callbackHost } = agent
      expect((await call('GET', '/api/2/system/agent-policy')).body).toEqual({
        hosts: agent.hosts,
        callback_hosts:
          callbackHost === undefined ? [] : [{ host: agent.hosts[0], callback_host: callbackHost }],
      })
      return
    }
    const { body } = await call('GET', '/api/2/oidc-clients')
    expect(body).toContainEqual(
      expect.objectContaining({
        ...{ name: agent.name, type: agent.type, redirect_uris: agent.redirectUris },
        apis: [{ audience: 'https://films.example.com/mcp', scopes: ['films.read'] }],
      }),
    )
  },
)
