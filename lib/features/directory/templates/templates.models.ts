import type * as z from 'zod/mini'
import { exampleIds } from '../../../accounts/example-values.models.ts'
import { language, settableUserFields } from '../../../accounts/users/user-fields.models.ts'
import {
  nameRules,
  permissionForm,
  permissionRule,
} from '../../../kernel/contract/descriptions/common-texts.ts'
import {
  flag,
  givenPermissions,
  id,
  ids,
  startPage,
  text255,
  texts,
} from '../../../kernel/contract/fields.ts'
import { changes, field, model, settable } from '../../../kernel/contract/model.ts'

const exampleValues = docs && {
  name: 'Employees of Example Corp',
  permissions: ['projects:view'],
  groups: [exampleIds.group],
  language: 'en' as const,
  default_page: '/',
  is_external: false,
}

/** The initial values of users that are created automatically. */
export const templateFields = {
  id: field(id, docs && 'The ID of the template. SAML providers name it in `user_template`.'),
  name: settable(text255, docs && `The name of the template. ${nameRules}`, { inEvents: 'value' }),
  permissions: settable(
    texts,
    docs &&
      `The permissions of the new users, apart from those of their groups. ${permissionForm} Not \`system:admin-access\`, because providers must not create administrators. ${permissionRule} Default: empty.`,
    { given: givenPermissions, inEvents: 'value' },
  ),
  groups: settable(
    ids,
    docs &&
      'The IDs of the groups that new users join, at most 200. None may have `system:admin-access`. Default: empty.',
    { inEvents: 'value' },
  ),
  language: settable(language, docs && settableUserFields.language.text, { inEvents: 'value' }),
  default_page: settable(text255, docs && settableUserFields.default_page.text, {
    given: startPage,
    inEvents: 'value',
  }),
  is_external: settable(
    flag,
    docs && 'Whether the new users are from outside of the organization. Default: `false`.',
    { inEvents: 'value' },
  ),
}

export const UserTemplate = model(
  templateFields,
  docs && {
    description:
      'The first values of users that a SAML provider creates at their first sign-in. Later changes of the template do not change these users.',
    example: { id: exampleIds.userTemplate, ...exampleValues },
  },
)
export type UserTemplate = z.output<typeof UserTemplate>

export const UserTemplateUpdate = changes(
  templateFields,
  docs && {
    description:
      'A new user template, or all settable fields of an existing one. Omitted fields get their defaults.',
    example: exampleValues,
  },
  ['name'],
)
export type UserTemplateUpdate = z.output<typeof UserTemplateUpdate>

export const UserTemplatePartialUpdate = changes(
  templateFields,
  docs && {
    description: 'Changes of a user template. Omitted fields keep their values.',
    example: { permissions: ['media:access', 'projects:view'] },
  },
)
export type UserTemplatePartialUpdate = z.output<typeof UserTemplatePartialUpdate>
