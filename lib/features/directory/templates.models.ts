import * as z from 'zod/mini'
import { describeModel } from '../../kernel/contract/describe.ts'
import { nameRules, permissionForm, permissionRule } from '../../kernel/contract/descriptions/common-texts.ts'
import { flag, givenPermissions, id, ids, startPage, text255, texts } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { exampleIds } from '../example-values.models.ts'
import { language, userFieldDescriptions } from './user-fields.models.ts'

const settableDescriptions = docs && {
  name: `The name of the template. ${nameRules}`,
  permissions: `The permissions of the new users, apart from those of their groups. ${permissionForm} Not \`system:admin-access\`, because providers must not create administrators. ${permissionRule} Default: empty.`,
  groups:
    'The IDs of the groups that new users join, at most 200. None may have `system:admin-access`. Default: empty.',
  language: userFieldDescriptions.language,
  default_page: userFieldDescriptions.default_page,
  is_external: 'Whether the new users are from outside of the organization. Default: `false`.',
}

const exampleValues = docs && {
  name: 'Employees of Example Corp',
  permissions: ['projects:view'],
  groups: [exampleIds.group],
  language: 'en' as const,
  default_page: '/',
  is_external: false,
}

/** The initial values of users that are created automatically. */
export const UserTemplate = model(
  {
    id: field(id, docs && 'The ID of the template. SAML providers name it in `user_template`.'),
    name: field(text255, docs && settableDescriptions.name),
    permissions: field(texts, docs && settableDescriptions.permissions),
    groups: field(ids, docs && settableDescriptions.groups),
    language: field(language, docs && settableDescriptions.language),
    default_page: field(text255, docs && settableDescriptions.default_page),
    is_external: field(flag, docs && settableDescriptions.is_external),
  },
  docs && {
    description:
      'The first values of users that a SAML provider creates at their first sign-in. Later changes of the template do not change these users.',
    example: { id: exampleIds.userTemplate, ...exampleValues },
  },
)
export type UserTemplate = z.output<typeof UserTemplate>

const changes = {
  permissions: z.optional(givenPermissions),
  groups: z.optional(ids),
  language: z.optional(language),
  default_page: z.optional(startPage),
  is_external: z.optional(flag),
}

export const UserTemplateUpdate = z.strictObject({ ...changes, name: text255 })
export type UserTemplateUpdate = z.output<typeof UserTemplateUpdate>

if (docs)
  describeModel(UserTemplateUpdate, () => ({
    description:
      'A new user template, or all settable fields of an existing one. Omitted fields get their defaults.',
    fields: settableDescriptions,
    example: exampleValues,
  }))

export const UserTemplatePartialUpdate = z.strictObject({ ...changes, name: z.optional(text255) })
export type UserTemplatePartialUpdate = z.output<typeof UserTemplatePartialUpdate>

if (docs)
  describeModel(UserTemplatePartialUpdate, () => ({
    description: 'Changes of a user template. Omitted fields keep their values.',
    fields: settableDescriptions,
    example: { permissions: ['media:access', 'projects:view'] },
  }))
