import * as z from 'zod/mini'
import { exampleIds } from '../../accounts/example-values.models.ts'
import { AttributeLabel, attributeValue } from '../../accounts/users/attributes.models.ts'
import { exampleDecisionName, shownDescription } from '../../kernel/contract/descriptions/decision-name.ts'
import { decisionName, flag, id, nonEmptyText } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'

export const DirectoryAttribute = model(
  {
    name: field(nonEmptyText, docs && 'The name of the attribute.'),
    labels: field(z.array(AttributeLabel), docs && 'What pages call the attribute, by language.'),
    value: field(
      attributeValue,
      docs && { description: 'The value that the directory has.', example: 'Sales' },
    ),
  },
  docs && {
    description: 'An attribute that a directory wants to keep up to date.',
    example: {
      name: 'department',
      labels: [{ language: 'en' as const, label: 'Department' }],
      value: 'Sales',
    },
  },
)

export const OwnDirectory = model(
  {
    id: field(id, docs && 'The ID of the company connection.'),
    name: field(nonEmptyText, docs && 'The name of the connection.'),
    state: field(
      z.enum(['asked', 'agreed', 'declined']),
      docs &&
        '`asked`: you have not answered, or not for all of `attributes`. The directory changes nothing of which it asks. `agreed`: it keeps your name and `attributes` up to date. `declined`: it changes nothing.',
    ),
    full_name: field(
      z.nullable(nonEmptyText),
      docs && 'The name that the directory has. Null if it has none.',
    ),
    attributes: field(
      z.array(DirectoryAttribute),
      docs &&
        'The attributes that the directory keeps up to date as well, with its values. Those that you do not see stay as they are.',
    ),
    shown: field(
      decisionName,
      docs &&
        'Names the connection, the name and the attributes of this answer. `answer_own_directory` needs it to agree.',
    ),
  },
  docs && {
    description: 'The directory of a company that has the current user, whose account was there before.',
    example: {
      id: exampleIds.oidcConnection,
      name: 'Acme Studios',
      state: 'asked' as const,
      full_name: 'Ada Lovelace',
      attributes: [],
      shown: exampleDecisionName,
    },
  },
)
export type OwnDirectory = z.output<typeof OwnDirectory>

export const OwnDirectoryAnswer = model(
  {
    agrees: field(flag, docs && 'Whether the directory may keep your name and the attributes up to date.'),
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
