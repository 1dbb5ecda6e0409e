/**
 * The part of every page's script that tells a person why the interface refused: in words for whoever is in front of
 * it, where the interface speaks to whoever programs with it. No code, no name of a field.
 */
export const words = `
const labels = {
  username: 'The username', email: 'The e-mail address', password: 'The password',
  new_password: 'The new password', otp: 'The code',
}
const plainWords = {
  otp_invalid: 'The code is wrong, or was used before. Wait for the next one and type that.',
  password_required: 'Type the password of the link as well.',
  invalid_token: 'This link was used already, or is too old.',
  not_authenticated: 'You are not signed in any more. Sign in, then try again.',
  payload_too_large: 'That is too long.',
  conflict: 'Somebody else changed something at the same moment. Try again.',
}
const spanOf = (seconds) => {
  if (!(seconds > 0)) return 'a minute'
  if (seconds === 1) return 'a second'
  return seconds <= 90 ? seconds + ' seconds' : Math.ceil(seconds / 60) + ' minutes'
}
const faultSentence = ({ field, message }) =>
  message.startsWith('The ') ? message : (labels[field] || 'Something that you typed') + ' ' + message + '.'
const sentences = ({ status, body, retryAfter }) => {
  if (status === 429) return ['That was tried too often. Wait ' + spanOf(retryAfter) + ', then try again.']
  if (status >= 500) return ['Something went wrong on our side. Try again in a moment.']
  if (body.errors && body.errors.length) return body.errors.map(faultSentence)
  return [plainWords[body.reason] || plainWords[body.code] || body.detail || 'That did not work. Try again.']
}
`
