/** Messages of the account page. */
export const en = {
  heading: 'Your account',
  signedInAs: 'You are signed in as {name}.',
  signOut: 'Sign out',
} as const
