/** Messages of pages that the server renders. */
export const en = {
  goToSignIn: 'Go to the sign-in page',
  tryAgain: 'Try again',
  requestNumber: 'Request number: {number}',
  minutes: '{count, plural, one {# minute} other {# minutes}}',
  seconds: '{count, plural, one {# second} other {# seconds}}',
  notFoundTitle: 'Page not found',
  notFound: 'There is no page at this address. The address may be incomplete, or the page may have moved.',
  noPageTitle: 'This page cannot be shown',
  noPage: 'This address is meant for programs and has no page.',
  tooManyTitle: 'Too many attempts',
  tooMany: 'There were too many attempts. Wait {wait}, then try again.',
  notSignedInTitle: 'You are not signed in',
  forbiddenTitle: 'You cannot do this',
  didNotWorkTitle: 'That did not work',
  wrongTitle: 'Something went wrong',
  signOutFailedTitle: 'Sign-out failed',
  signInFailedTitle: 'Sign-in failed',
  expiredTitle: 'This sign-in is no longer valid',
  providerMissing:
    'This link leads to a way to sign in that is no longer available. Go to the sign-in page and choose another one.',
  signInFirst: 'Go to the sign-in page and sign in, then try again.',
  forbidden: 'You do not have permission to do this. If you need it, ask an administrator.',
  conflict: 'Someone else made a change at the same time. Try again.',
  ourSide:
    'Something went wrong on our side. Try again in a moment. If the problem continues, give an administrator the request number below.',
  yourProvider: 'your sign-in provider',
  startLinkInvalid:
    'The link that brought you here to sign in with {provider} is not valid. Start again here or on the sign-in page.',
  responseUnreadable:
    'We could not read the answer from {provider}, so you are not signed in. Try again. If the problem continues, contact an administrator.',
  signOutUnreadable:
    'We could not use the answer from {provider}, so you may still be signed in here. Go to the sign-in page to check, and sign out there.',
  linkInvalid: 'This link is not valid. Go to the sign-in page and start there.',
  failed:
    'Signing in with {provider} did not work. Try again. If the problem continues, give an administrator the request number below.',
  noCookie:
    'Your browser did not keep a cookie that the sign-in needs. Allow cookies for {host} and sign in again.',
  notStarted: 'The sign-in with {provider} did not start here, or it started too long ago. Start again here.',
  otherBrowser: 'The sign-in was started in another browser. Sign in again in this one.',
  ended: 'The sign-in has already ended or took too long. Sign in again.',
  signedOut: '{provider} signed you out in the meantime. Sign in again.',
  noAccount:
    'Your account there is not connected to an account here. If you have one here, connect them now: you sign in here, and then once more there. Otherwise, ask an administrator.',
  connectAccounts: 'I have an account here: sign in and connect',
  accountThere: 'At {provider} you are {account}.',
  otherProvider: 'Your company requires that you sign in with {provider}.',
  disabled: 'Your account here is disabled or has expired. Ask an administrator.',
  taken: 'Your account at {provider} belongs to another user here. Sign in with it, or ask an administrator.',
  signInToLink: 'Sign in here first. Then connect your account at {provider}.',
  noNewProof:
    '{provider} did not ask you to sign in again, which is needed here. Sign out there, then try again. If the problem persists, contact an administrator.',
  oldKey:
    'The answer from {provider} could not be read, like other answers before. An administrator must renew the connection with {provider}.',
  appRequestInvalid:
    'The app sent a request that is not valid. Go back to the app, or contact the people who run it.',
  appSignOutInvalid: 'The app sent a request that is not valid. You are still signed in.',
  appExpired:
    'It was completed, has expired, or was started in another browser. Go back to the app and sign in again.',
  appOther: 'Go back to the app and try again.',
  signOutTitle: 'Sign out?',
  signOutFrom: 'You came from {app}.',
  signOutAll: 'You will be signed out of all apps that use this account in this browser.',
  signOut: 'Sign out',
  staySignedIn: 'Stay signed in',
} as const
