/** Messages of the page that the link of a security email opens. */
export const en = {
  heading: 'Secure your account',
  explanation:
    'You got an email about a change of your account. If the change was not yours, press the button. Then:',
  signsOut: 'Everyone is signed out of your account, including you.',
  removes:
    'API tokens, passkeys, a second factor and linked accounts that were added since then are removed.',
  restores: 'A changed email address is changed back.',
  ends: 'If someone may know your password, it stops working. You get an email to choose a new one.',
  report: 'This wasn’t me',
  doneHeading: 'Your account is secured',
  done: 'Everyone was signed out, and what was added since then was removed.',
  emailRestored: 'The account has its previous email address again.',
  passwordEnded: 'Your password no longer works.',
  emailSent: 'You get an email with a link to choose a new password.',
  incomplete: 'This link is incomplete. Open it again from the email.',
  used: 'This link has expired or was already used.',
  stillInDanger: 'If your account is still in danger, reset your password or ask an administrator.',
  goToSignIn: 'Go to the sign-in page',
} as const
