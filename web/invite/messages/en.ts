/** Messages of the page of an invitation. */
export const en = {
  heading: 'Welcome to {product}',
  invitedBy: '{inviter} invited you. Your username is {username}.',
  invited: 'You have been invited. Your username is {username}.',
  signedInAsOther: 'You are signed in as {other}. When you accept, you are signed in as {username} instead.',
  password: 'Choose a password',
  accept: 'Accept the invitation',
  ways: 'How do you want to sign in?',
  otherWays: 'Or without a password:',
  createPasskey: 'Create a passkey',
  continueWith: 'Continue with {provider}',
  needsSecondFactor:
    'Your organization asks for a second step at every sign-in. Accept the invitation, then set it up.',
  acceptAndSetUp: 'Accept and set up',
  noWay:
    'This browser has no way to accept the invitation. Open the link in another browser, or ask the person who invited you.',
  endedHeading: 'This invitation is no longer valid',
  ended: 'It was used already, was withdrawn, or has expired.',
  askAgain:
    'Ask the person who invited you to send a new invitation. If you have accepted it before, sign in.',
  goToSignIn: 'Go to the sign-in page',
  accepted: 'You have accepted the invitation and are signed in.',
} as const
