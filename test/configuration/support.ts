import { randomUUID } from 'node:crypto'
import type { RequestContext } from '../../lib/accounts/callers/request-context.ts'
import { applyChanges, rehearseChanges } from '../../lib/features/configuration/apply.part.ts'
import type { ConfigurationDocument } from '../../lib/features/configuration/document.models.ts'
import { type PlannedChange, planChanges } from '../../lib/features/configuration/plan.part.ts'
import { readDocument } from '../../lib/features/configuration/read-document.ts'
import { AppError } from '../../lib/kernel/errors/errors.ts'
import type { Services } from '../../lib/services.ts'

export const createContext = ({ now }: Services): RequestContext => ({
  address: 'test',
  userAgent: '',
  requestId: `config-${randomUUID()}`,
  actor: null,
  credential: 'configuration',
  at: now(),
})

/** Applies a document as `latchkey config apply` does, and returns what it changed. */
export const apply = async (
  services: Services,
  input: object,
  {
    prune = false,
    secrets = {},
  }: { readonly prune?: boolean; readonly secrets?: Readonly<Record<string, string>> } = {},
): Promise<readonly PlannedChange[]> => {
  const document: ConfigurationDocument = readDocument(input)
  const context = createContext(services)
  const changes = await planChanges(services, context, document, { prune })
  const options = { owner: document.owner, readSecret: (name: string) => secrets[name] }
  await rehearseChanges(services, context, options, changes)
  const applied: PlannedChange[] = []
  for await (const { change } of applyChanges(services, context, options, changes)) applied.push(change)
  return applied
}

/** What a document is refused for, as `path message`. */
export const listProblems = async (run: () => unknown): Promise<readonly string[]> => {
  try {
    await run()
    return []
  } catch (error) {
    if (!(error instanceof AppError) || !error.details.errors) throw error
    return error.details.errors.map(({ field, message }) => `${field} ${message}`)
  }
}

/** Names that no other test has. */
export const unique = (name: string): string => `${name}-${randomUUID().slice(0, 8)}`
