/** Messages of the page that a password reset link opens. */
export const en = {
  heading: 'Choose a new password',
  checking: 'Checking the link…',
  account: 'This is the new password of {username}.',
  saveSuggestion: 'Save this password in your password manager before you continue.',
  suggest: 'Suggest a password',
  endApiTokens: 'Also delete all of my API tokens',
  save: 'Set password',
  doneHeading: 'Password changed',
  done: 'Your new password is set. You can now sign in with it.',
  signIn: 'Sign in',
  goToSignIn: 'Go to the sign-in page',
  incomplete: 'This link is incomplete. Open it again from the email.',
  used: 'This link has expired or was already used.',
  getNewLink: 'To get a new link, go to the sign-in page and choose “Forgot your password?”.',
} as const
