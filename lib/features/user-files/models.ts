import * as z from 'zod/mini'
import { describeModel, exampleOf } from '../../kernel/contract/describe.ts'
import { anyText, dateTime, flag, nullableDateTime, texts } from '../../kernel/contract/fields.ts'
import { userLinesPerRequest } from '../../kernel/limits/limits.ts'
import {
  exampleUserChangeFields,
  userChangeFields,
  userExportDescriptions,
} from '../../published-clients/user-fields.ts'
import { AttributeOfUser } from '../directory/attributes.models.ts'
import { language, pageLanguage } from '../directory/user-fields.models.ts'
import { ExternalId } from '../directory/users.models.ts'
import { exampleTimes } from '../example-values.models.ts'

const lineNumber = z.int().check(z.minimum(1), z.maximum(2 ** 31 - 1))

export const UserImportCreate = z.strictObject({
  /** A line that is invalid gets a result, so the schema accepts all. */
  lines: z.array(z.unknown()).check(z.minLength(1), z.maxLength(userLinesPerRequest)),
  line_numbers: z.optional(z.array(lineNumber)),
  dry_run: z.optional(flag),
})

const exampleLine = {
  username: 'grace',
  email: 'grace@example.com',
  full_name: 'Grace Hopper',
  groups: ['Editors'],
  permissions: ['projects:view'],
}

describeModel(UserImportCreate, () => ({
  description: 'Lines of a file with users.',
  fields: {
    lines: {
      description: `At most ${userLinesPerRequest} lines. Each is an object with the fields of a line of JSON Lines, as the command \`latchkey users import\` reads it. Groups can have names instead of IDs.`,
      example: [exampleLine],
    },
    line_numbers: {
      description:
        'The number of each line in its file, for the results and their messages. Default: 1 for the first line of the request.',
      example: [2],
    },
    dry_run: 'With `true`, the lines are checked and nothing is written. Default: `false`.',
  },
  example: { lines: [exampleLine], line_numbers: [2], dry_run: true },
}))

export const UserLineError = z.strictObject({ field: anyText, message: anyText })

const exampleError = { field: 'email', message: 'is the address of another user' }

describeModel(UserLineError, () => ({
  description: 'What is wrong with a field of a line.',
  fields: {
    field: {
      description: 'The path of the field, or `line` for the whole line.',
      example: exampleError.field,
    },
    message: {
      description: 'What is wrong with the field. It continues its name, and never quotes the value.',
      example: exampleError.message,
    },
  },
  example: exampleError,
}))

export const UserLineNames = z.strictObject({
  username: z.optional(anyText),
  email: z.optional(anyText),
  skeleton: z.optional(anyText),
  external_id: z.optional(anyText),
})

const exampleNames = { username: 'grace', email: 'grace@example.com' }

describeModel(UserLineNames, () => ({
  description:
    'What no other line of the same file may have. Compare it between requests to find what a file repeats. Missing if the line does not have it, or if it is invalid.',
  fields: {
    username: { description: 'The username, in the form in which it is compared.', example: 'grace' },
    email: {
      description: 'The email address, in the form in which it is compared.',
      example: 'grace@example.com',
    },
    skeleton: {
      description: 'The looks of the username. Names that look like each other have the same.',
      example: 'grace',
    },
    external_id: {
      description: 'The ID in another system, after its source and a space.',
      example: 'keycloak 0b0f1c52-7d5e-4a43-9a2b-8f0f3f3f6c1d',
    },
  },
  example: exampleNames,
}))

export const UserLineResult = z.strictObject({
  line: lineNumber,
  outcome: z.enum(['imported', 'known', 'refused']),
  errors: z.array(UserLineError),
  names: z.optional(UserLineNames),
})
export type UserLineResult = z.output<typeof UserLineResult>

const exampleResult = { line: 2, outcome: 'refused' as const, errors: [exampleError], names: exampleNames }

describeModel(UserLineResult, () => ({
  description: 'What happened with a line.',
  fields: {
    line: { description: 'The number of the line.', example: 2 },
    outcome:
      '`imported`: the user was created, or would be without `dry_run`. `known`: an earlier import created the user from the same line. `refused`: nothing was written. Ignore values that you do not know.',
    errors: 'Why the line was refused. Empty for any other outcome.',
    names: 'What no other line of the file may have. Only in answers to a dry run.',
  },
  example: exampleResult,
}))

export const UserImport = z.strictObject({ results: z.array(UserLineResult) })

describeModel(UserImport, () => ({
  description: 'The result of each line, in the order of the request.',
  fields: { results: 'One result for each line.' },
  example: { results: [exampleResult] },
}))

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

const exampleExportLine = {
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
const asInDetailDescription = 'As in `ServiceUserDetail`.'

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
    password_check: '`legacy` for a password that only the old system can check. Missing for any other user.',
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
