/** Messages of the users in the console. */
export const en = {
  heading: 'Users',
  search: 'Search by name, username or email',
  state: 'State',
  enabled: 'Enabled',
  disabled: 'Disabled',
  expired: 'Expired',
  username: 'Username',
  email: 'Email address',
  lastSeen: 'Last seen',
  empty: 'There are no users yet.',
} as const
