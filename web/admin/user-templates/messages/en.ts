/** Messages of the user templates in the console. */
export const en = {
  heading: 'User templates',
  intro: 'Users that an identity provider creates get the values of a template.',
  template: 'Template',
  values: 'Values',
  newTemplate: 'New template',
  empty: 'There are no user templates yet.',
  deleteTemplate: 'Delete this template',
  deleteTemplateText: 'Users that were created with it stay as they are.',
} as const
