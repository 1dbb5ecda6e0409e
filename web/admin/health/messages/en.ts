/** Messages of the service health in the console. */
export const en = {
  heading: 'Service health',
  allGood: 'Everything works.',
  failing: 'Something does not work. Look at the parts below.',
  parts: 'Parts',
  table: 'Database',
  vault: 'Encryption of secrets',
  mail: 'Sending of emails',
  works: 'Works',
  fails: 'Does not work',
  off: 'Not set up',
  took: '{count, plural, one {# millisecond} other {# milliseconds}}',
  version: 'Version',
  again: 'Check again',
  forDevelopers: 'For developers',
  reference: 'API reference',
} as const
