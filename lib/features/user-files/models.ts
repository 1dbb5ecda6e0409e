import * as z from 'zod/mini'
import { exampleTimes } from '../../accounts/example-values.models.ts'
import { AttributeOfUser } from '../../accounts/users/attributes.models.ts'
import { language, pageLanguage } from '../../accounts/users/user-fields.models.ts'
import { ExternalId } from '../../accounts/users/users.models.ts'
import { describeModel, exampleOf } from '../../kernel/contract/describe.ts'
import { anyText, dateTime, flag, nullableDateTime, texts } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { userLinesPerRequest } from '../../kernel/limits/limits.ts'
import {
  exampleUserChangeFields,
  userChangeFields,
  userExportDescriptions,
} from '../../published-clients/user-fields.ts'

const lineNumber = z.int().check(z.minimum(1), z.maximum(2 ** 31 - 1))

const exampleLine = docs && {
  username: 'grace',
  email: 'grace@example.com',
  full_name: 'Grace Hopper',
  groups: ['Editors'],
  permissions: ['projects:view'],
}

export const UserImportCreate = model(
  {
    /** A line that is invalid gets a result, so the schema accepts all. */
    lines: field(
      z.array(z.unknown()).check(z.minLength(1), z.maxLength(userLinesPerRequest)),
      docs && {
        description: `At most ${userLinesPerRequest} lines. Each is an object with the fields of a line of JSON Lines, as the command \`latchkey users import\` reads it. Groups can have names instead of IDs.`,
        example: [exampleLine],
      },
    ),
    line_numbers: field(
      z.optional(z.array(lineNumber)),
      docs && {
        description:
          'The number of each line in its file, for the results and their messages. Default: 1 for the first line of the request.',
        example: [2],
      },
    ),
    dry_run: field(
      z.optional(flag),
      docs && 'With `true`, the lines are checked and nothing is written. Default: `false`.',
    ),
  },
  docs && {
    description: 'Lines of a file with users.',
    example: { lines: [exampleLine], line_numbers: [2], dry_run: true },
  },
)

const exampleError = docs && { field: 'email', message: 'is the address of another user' }

export const UserLineError = model(
  {
    field: field(
      anyText,
      docs && {
        description: 'The path of the field, or `line` for the whole line.',
        example: exampleError.field,
      },
    ),
    message: field(
      anyText,
      docs && {
        description: 'What is wrong with the field. It continues its name, and never quotes the value.',
        example: exampleError.message,
      },
    ),
  },
  docs && { description: 'What is wrong with a field of a line.', example: exampleError },
)

const exampleNames = docs && { username: 'grace', email: 'grace@example.com' }

export const UserLineNames = model(
  {
    username: field(
      z.optional(anyText),
      docs && { description: 'The username, in the form in which it is compared.', example: 'grace' },
    ),
    email: field(
      z.optional(anyText),
      docs && {
        description: 'The email address, in the form in which it is compared.',
        example: 'grace@example.com',
      },
    ),
    skeleton: field(
      z.optional(anyText),
      docs && {
        description: 'The looks of the username. Names that look like each other have the same.',
        example: 'grace',
      },
    ),
    external_id: field(
      z.optional(anyText),
      docs && {
        description: 'The ID in another system, after its source and a space.',
        example: 'keycloak 0b0f1c52-7d5e-4a43-9a2b-8f0f3f3f6c1d',
      },
    ),
    public_identities: field(
      z.optional(texts),
      docs && {
        description: 'The accounts at public providers, each after its provider and a space.',
        example: ['google 110169484474386276334'],
      },
    ),
  },
  docs && {
    description:
      'What no other line of the same file may have. Compare it between requests to find what a file repeats. Missing if the line does not have it, or if it is invalid.',
    example: exampleNames,
  },
)

const exampleResult = docs && {
  line: 2,
  outcome: 'refused' as const,
  errors: [exampleError],
  names: exampleNames,
}

export const UserLineResult = model(
  {
    line: field(lineNumber, docs && { description: 'The number of the line.', example: 2 }),
    outcome: field(
      z.enum(['imported', 'known', 'refused']),
      docs &&
        '`imported`: the user was created, or would be without `dry_run`. `known`: an earlier import created the user from the same line. `refused`: nothing was written. Ignore values that you do not know.',
    ),
    errors: field(z.array(UserLineError), docs && 'Why the line was refused. Empty for any other outcome.'),
    names: field(
      z.optional(UserLineNames),
      docs && 'What no other line of the file may have. Only in answers to a dry run.',
    ),
  },
  docs && { description: 'What happened with a line.', example: exampleResult },
)
export type UserLineResult = z.output<typeof UserLineResult>

export const UserImport = model(
  {
    results: field(z.array(UserLineResult), docs && 'One result for each line.'),
  },
  docs && {
    description: 'The result of each line, in the order of the request.',
    example: { results: [exampleResult] },
  },
)

export const UserExportLine = z.strictObject({
  username: anyText,
  email: z.nullable(anyText),
  email_verified: z.optional(flag),
  external_id: z.optional(ExternalId),
  created_at: z.nullable(dateTime),
  full_name: z.nullable(anyText),
  groups: texts,
  permissions: texts,
  password_check: z.optional(z.enum(['legacy'])),
  is_enabled: flag,
  is_external: flag,
  expiry: nullableDateTime,
  password_change_required: flag,
  allow_changing_password: flag,
  default_page: anyText,
  language,
  page_language: z.optional(pageLanguage),
  attributes: z.array(AttributeOfUser),
  ...userChangeFields,
})
export type UserExportLine = z.output<typeof UserExportLine>

const exampleExportLine = docs && {
  ...exampleLine,
  created_at: exampleTimes.created,
  is_enabled: true,
  is_external: false,
  expiry: null,
  password_change_required: false,
  allow_changing_password: true,
  default_page: '/',
  language: 'en' as const,
  attributes: [exampleOf(AttributeOfUser)],
  ...exampleUserChangeFields,
}

/** The texts of the same fields are long, and the reference shows all models on one page. */
const asInDetailDescription = docs && 'As in `ServiceUserDetail`.'

if (docs)
  describeModel(UserExportLine, () => ({
    description:
      'A user as a line of a file that an import accepts. It contains no password, authenticator key or passkey.',
    fields: {
      username: asInDetailDescription,
      email: asInDetailDescription,
      email_verified: '`false` for an address that waits for a confirmation. Missing for any other.',
      external_id: 'The user in the system that they were imported from. Missing if there is none.',
      created_at: 'When the user was created, or registered in the other system: ISO 8601, UTC.',
      full_name: asInDetailDescription,
      groups: { description: 'The names of the groups of the user.', example: ['Editors'] },
      permissions: asInDetailDescription,
      password_check:
        '`legacy` for a password that only the old system can check. Missing for any other user.',
      is_enabled: asInDetailDescription,
      is_external: asInDetailDescription,
      expiry: asInDetailDescription,
      password_change_required: asInDetailDescription,
      allow_changing_password: asInDetailDescription,
      default_page: asInDetailDescription,
      language: asInDetailDescription,
      page_language: 'The preferred language of the user, if `language` does not know it. Missing otherwise.',
      attributes: 'The attributes of the user, as the service defines them.',
      ...userExportDescriptions,
    },
    example: exampleExportLine,
  }))
