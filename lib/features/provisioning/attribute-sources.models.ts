/** The attributes of a person in a directory that can become attributes of their account. */
export const attributeSources = [
  'title',
  'nick_name',
  'user_type',
  'preferred_language',
  'locale',
  'timezone',
  'work_phone',
  'employee_number',
  'cost_center',
  'organization',
  'division',
  'department',
  'manager',
] as const
export type AttributeSource = (typeof attributeSources)[number]
