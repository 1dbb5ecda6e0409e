/** Messages of the page that confirms an email address. */
export const en = {
  heading: 'Confirm your email address',
  explanation: 'Confirm that this email address is yours.',
  confirm: 'Confirm address',
  doneHeading: 'Email address confirmed',
  done: 'Your email address is confirmed. You can close this page.',
  taken: 'Another account uses this address. Ask an administrator.',
  incomplete: 'This link is incomplete. Open it again from the email.',
  used: 'This link has expired or was already used.',
  getNewLink: 'To get a new link, sign in or ask an administrator.',
  goToSignIn: 'Go to the sign-in page',
} as const
