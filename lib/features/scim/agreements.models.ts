import * as z from 'zod/mini'
import { exampleIds } from '../../accounts/example-values.models.ts'
import { exampleDecisionName, shownDescription } from '../../kernel/contract/descriptions/decision-name.ts'
import { decisionName, flag, id, nonEmptyText } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'

export const OwnDirectory = model(
  {
    id: field(id, docs && 'The ID of the company connection.'),
    name: field(nonEmptyText, docs && 'The name of the connection.'),
    state: field(
      z.enum(['asked', 'agreed', 'declined']),
      docs &&
        '`asked`: you have not answered, so the directory changes nothing. `agreed`: it keeps your name up to date. `declined`: it changes nothing.',
    ),
    full_name: field(
      z.nullable(nonEmptyText),
      docs && 'The name that the directory has. Null if it has none.',
    ),
    shown: field(
      decisionName,
      docs && 'Names the connection and the name of this answer. `answer_own_directory` needs it to agree.',
    ),
  },
  docs && {
    description: 'The directory of a company that has the current user, whose account was there before.',
    example: {
      id: exampleIds.oidcConnection,
      name: 'Acme Studios',
      state: 'asked' as const,
      full_name: 'Ada Lovelace',
      shown: exampleDecisionName,
    },
  },
)
export type OwnDirectory = z.output<typeof OwnDirectory>

export const OwnDirectoryAnswer = model(
  {
    agrees: field(flag, docs && 'Whether the directory may keep your name up to date.'),
    shown: field(
      z.optional(decisionName),
      docs && `${shownDescription} Required if \`agrees\` is true. A refusal is accepted at any time.`,
    ),
  },
  docs && {
    description: 'Whether the directory of a company may change the account of the current user.',
    example: { agrees: true, shown: exampleDecisionName },
  },
)
