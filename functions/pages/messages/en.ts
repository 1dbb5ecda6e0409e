/** The titles of the pages, and the text without JavaScript. */
export const en = {
  signIn: 'Sign in to {product}',
  reset: 'Choose a new password – {product}',
  secure: 'Secure your account – {product}',
  confirm: 'Confirm your email address – {product}',
  link: 'Shared with you – {product}',
  invite: 'You are invited to {product}',
  account: 'Your account – {product}',
  admin: 'Administration – {product}',
  needsScript: 'This page needs JavaScript. Turn it on in your browser, then reload the page.',
} as const
