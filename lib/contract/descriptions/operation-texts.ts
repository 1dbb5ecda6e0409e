import type { Operation } from '../operation.ts'
import { accessTokens } from '../operations/access-tokens.ts'
import { apiTokens } from '../operations/api-tokens.ts'
import { audit } from '../operations/audit.ts'
import { impersonation } from '../operations/impersonation.ts'
import { leaks } from '../operations/leaks.ts'
import { sessions } from '../operations/sessions.ts'
import { tickets } from '../operations/tickets.ts'
import type { FieldText, OperationText } from './describe.ts'
import { accessTokensTexts } from './operations/access-tokens.ts'
import { apiTokensTexts } from './operations/api-tokens.ts'
import { auditTexts } from './operations/audit.ts'
import { impersonationTexts } from './operations/impersonation.ts'
import { leaksTexts } from './operations/leaks.ts'
import { sessionsTexts } from './operations/sessions.ts'
import { ticketsTexts } from './operations/tickets.ts'

/** The text of an operation, whichever parameters it has. */
export type AnyOperationText = Omit<OperationText, 'parameters'> & {
  readonly parameters: Readonly<Record<string, FieldText>>
}

type TextsOfModule = readonly [
  operations: Readonly<Record<string, Operation>>,
  texts: Readonly<Record<string, AnyOperationText>>,
]

const modules: readonly TextsOfModule[] = [
  [accessTokens, accessTokensTexts],
  [apiTokens, apiTokensTexts],
  [audit, auditTexts],
  [impersonation, impersonationTexts],
  [leaks, leaksTexts],
  [sessions, sessionsTexts],
  [tickets, ticketsTexts],
]

const byId: ReadonlyMap<string, AnyOperationText | undefined> = new Map(
  modules.flatMap(([operations, texts]) =>
    Object.entries(operations).map(([name, { id }]) => [id, texts[name]] as const),
  ),
)

export const findOperationText = (operationId: string): AnyOperationText | undefined => byId.get(operationId)
