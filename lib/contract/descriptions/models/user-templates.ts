import { UserTemplate, UserTemplatePartialUpdate, UserTemplateUpdate } from '../../models/user-templates.ts'
import { nameRules, permissionForm, permissionRule } from '../common-texts.ts'
import { describeModel } from '../describe.ts'
import { exampleIds } from '../example-values.ts'
import { userFieldTexts } from './user-fields.ts'

const settable = {
  name: `The name of the template. ${nameRules}`,
  permissions: `The permissions of the new users, apart from those of their groups. ${permissionForm} Not \`system:admin-access\`, because providers must not create administrators. ${permissionRule} Default: empty.`,
  groups:
    'The IDs of the groups that new users join, at most 200. None may have `system:admin-access`. Default: empty.',
  language: userFieldTexts.language,
  default_page: userFieldTexts.default_page,
  is_external: 'Whether the new users are from outside of the organization. Default: `false`.',
}

const values = {
  name: 'Employees of Example Corp',
  permissions: ['projects:view'],
  groups: [exampleIds.group],
  language: 'en' as const,
  default_page: '/',
  is_external: false,
}

export const userTemplatesTexts = [
  describeModel(UserTemplate, {
    description:
      'The first values of users that a SAML provider creates at their first sign-in. Later changes of the template do not change these users.',
    fields: { ...settable, id: 'The ID of the template. SAML providers name it in `user_template`.' },
    example: { id: exampleIds.userTemplate, ...values },
  }),
  describeModel(UserTemplateUpdate, {
    description:
      'A new user template, or all settable fields of an existing one. Omitted fields get their defaults.',
    fields: settable,
    example: values,
  }),
  describeModel(UserTemplatePartialUpdate, {
    description: 'Changes of a user template. Omitted fields keep their values.',
    fields: settable,
    example: { permissions: ['media:access', 'projects:view'] },
  }),
]
